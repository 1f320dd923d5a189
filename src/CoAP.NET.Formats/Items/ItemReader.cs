namespace CoAP.Formats;

/// <summary>Reads the items of a payload in CBOR.</summary>
/// <remarks>
/// <para>To read an array or map, call <see cref="ReadArrayStart"/> or <see cref="ReadMapStart"/>, and then <see cref="MoveNext"/> before each item
/// of the array or each key of the map. The call that returns <see langword="false"/> leaves the array or map.</para>
/// <para>Each method throws a <see cref="CoapPayloadException"/> if the next item has another kind, is malformed, or exceeds a limit. After that, the
/// reader cannot be used. Not safe for concurrent use.</para>
/// </remarks>
public abstract class ItemReader
{
    private protected ItemReader()
    {
    }

    /// <summary>The offset of the next item from the start of the payload, in bytes.</summary>
    public abstract long Offset { get; }

    /// <summary>Returns the kind of the next item without reading it.</summary>
    public abstract ItemKind Peek();

    /// <summary>Reads the next item if it is null. Otherwise, returns <see langword="false"/> and reads nothing.</summary>
    public abstract bool TryReadNull();

    /// <summary>Reads a Boolean value.</summary>
    public abstract bool ReadBoolean();

    /// <summary>Reads an integer from -2^63 to 2^63 - 1.</summary>
    public abstract long ReadInt64();

    /// <summary>Reads an integer from 0 to 2^64 - 1.</summary>
    public abstract ulong ReadUInt64();

    /// <summary>Reads a number. Integers are converted, and rounded if they have more than 53 bits.</summary>
    public abstract double ReadDouble();

    /// <summary>Reads a text. Invalid UTF-8 is an error.</summary>
    public abstract string ReadText();

    /// <summary>Reads a text and returns its UTF-8, validated. The bytes are valid until the next call.</summary>
    public abstract ReadOnlySpan<byte> ReadUtf8();

    /// <summary>Reads bytes.</summary>
    public abstract byte[] ReadBytes();

    /// <summary>Reads a point in time.</summary>
    public abstract DateTimeOffset ReadTimestamp();

    /// <summary>Begins to read an array. Returns the number of items, or <see langword="null"/> if it is not announced.</summary>
    /// <remarks>
    /// The number never exceeds the number of bytes that are left, so that a collection of this size costs a small multiple of the payload.
    /// </remarks>
    public abstract int? ReadArrayStart();

    /// <summary>Begins to read a map. Returns the number of entries, or <see langword="null"/> if it is not announced.</summary>
    /// <remarks>The number never exceeds half of the bytes that are left.</remarks>
    public abstract int? ReadMapStart();

    /// <summary>
    /// Moves to the next item of the innermost array, or to the next key of the innermost map. Returns <see langword="false"/> at its end.
    /// </summary>
    public abstract bool MoveNext();

    /// <summary>Skips the next item with all items inside.</summary>
    public abstract void Skip();

    /// <summary>Throws unless the whole payload has been read.</summary>
    public abstract void ReadEnd();

    /// <summary>
    /// Reads the next integers of the innermost array, each from -2^31 to 2^31 - 1. Faster than <see cref="MoveNext"/> and
    /// <see cref="ReadInt64"/> for each.
    /// </summary>
    /// <returns>
    /// The number of integers. If it is less than the length of the span, the array has ended, as if <see cref="MoveNext"/> had returned
    /// <see langword="false"/>.
    /// </returns>
    public virtual int ReadInt32s(Span<int> values)
    {
        for (var i = 0; i < values.Length; i++)
        {
            if (!MoveNext()) { return i; }
            values[i] = this.ReadInt32();
        }
        return values.Length;
    }

    /// <summary>Creates the exception for an item that is valid in the format but not for the type that is read.</summary>
    public CoapPayloadException Error(string message) => new($"{message} (at byte {Offset}).", Offset);

    /// <summary>Whether the exception that a method threw says that the payload ends too early, so that more bytes could make it valid.</summary>
    internal abstract bool EndedEarly { get; }

    /// <summary>
    /// Reads complete integers of 32 bits outside of arrays and maps, one after another. Stops before any other item, and before one that is cut off.
    /// Never throws.
    /// </summary>
    internal virtual int TakeInt32s(Span<int> values) => 0;

    /// <summary>Prepares the reader for another document.</summary>
    internal abstract void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits);
}
