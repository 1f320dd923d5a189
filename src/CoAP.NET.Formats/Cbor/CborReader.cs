using System.Buffers.Binary;
using System.Numerics;
using System.Text;

namespace CoAP.Formats;

/// <summary>Reads CBOR (RFC 8949).</summary>
/// <remarks>
/// <para>To read an array or map, call <see cref="ReadArrayStart"/> or <see cref="ReadMapStart"/>, and then <see cref="MoveNext"/> before each item
/// of the array or each key of the map. The call that returns <see langword="false"/> leaves the array or map.</para>
/// <para>Accepts every well-formed document, in preferred serialization or not, and rejects texts that are not UTF-8. Does not check that the keys
/// of a map are unique. Outside of arrays and maps, several items may follow one another (RFC 8742).</para>
/// <para>Tags before an expected item are skipped, unless the tag is part of the item (<see cref="ReadTimestamp"/>,
/// <see cref="ReadBigInteger"/>) or is read with <see cref="ReadTag"/>. Tag 55799 at the start is ignored (RFC 8949, section 3.4.6).</para>
/// <para>Each method throws a <see cref="CoapPayloadException"/> if the next item has another kind, is malformed, or exceeds a limit. After that, the
/// reader cannot be used. Not safe for concurrent use.</para>
/// </remarks>
public sealed class CborReader
{
    private CborCursor _cursor;

    /// <summary>Creates a reader.</summary>
    /// <param name="payload">The payload. It must not change while the reader is used.</param>
    /// <param name="limits">The limits. Default: <see cref="PayloadLimits.Default"/>.</param>
    /// <exception cref="CoapPayloadException">The payload is larger than allowed.</exception>
    public CborReader(ReadOnlyMemory<byte> payload, PayloadLimits? limits = null)
    {
        limits ??= PayloadLimits.Default;
        Reset(payload, limits);
        limits.CheckSize(payload.Length);
    }

    /// <summary>The offset of the next item from the start of the payload, in bytes.</summary>
    public long Offset => _cursor.Input.Offset;

    /// <summary>Whether the exception that a method threw says that the payload ends too early, so that more bytes could make it valid.</summary>
    internal bool EndedEarly => _cursor.Input.EndedEarly;

    /// <summary>Returns the kind of the next item without reading it.</summary>
    /// <remarks>After the last item of an array or map with a count, call <see cref="MoveNext"/> first.</remarks>
    public ItemKind Peek()
    {
        if (_cursor.Input.Left == 0) { return ItemKind.End; }
        var kind = CborMajor.KindOf(_cursor.Input.Initial());
        if (kind != ItemKind.Tagged) { return kind; }
        var at = _cursor.Input.Position;
        var tag = _cursor.Input.ReadArgument(_cursor.Input.Initial());
        _cursor.Input.Position = at;
        return tag is CborMajor.DateTimeTag or CborMajor.EpochTag ? ItemKind.Timestamp : ItemKind.Tagged;
    }

    /// <summary>Reads the next item if it is null. Otherwise, returns <see langword="false"/> and reads nothing.</summary>
    public bool TryReadNull()
    {
        if (_cursor.Input.Left == 0) { return false; }
        var initial = _cursor.Input.Initial();
        if ((initial & 0xe0) == CborMajor.Tag) { return _cursor.TryReadTaggedNull(isNullWanted: true); }
        if (initial is not (CborMajor.Null or CborMajor.Undefined)) { return false; }
        _cursor.Input.Position++;
        return true;
    }

    /// <summary>
    /// Reads the next item if it is "undefined" (RFC 8949, section 3.3). Otherwise, returns <see langword="false"/> and reads nothing.
    /// </summary>
    public bool TryReadUndefined() => _cursor.Input.Left > 0 && _cursor.TryReadTaggedNull(isNullWanted: false);

    /// <summary>Reads a Boolean value.</summary>
    public bool ReadBoolean()
    {
        var initial = _cursor.SkipTags();
        if (initial is not (CborMajor.False or CborMajor.True)) { throw _cursor.Mismatch("a Boolean value", initial); }
        _cursor.Input.Position++;
        return initial == CborMajor.True;
    }

    /// <summary>Reads a simple value (RFC 8949, section 3.3). 20 to 23 are false, true, null and undefined.</summary>
    public byte ReadSimple()
    {
        var initial = _cursor.SkipTags();
        if (initial is < CborMajor.Simple or CborMajor.Half or CborMajor.Single or CborMajor.Double)
        {
            throw _cursor.Mismatch("a simple value", initial);
        }
        return (byte)_cursor.Input.ReadSimple(initial);
    }

    /// <summary>Reads an integer from -2^63 to 2^63 - 1.</summary>
    public long ReadInt64()
    {
        if (_cursor.Input.Position < _cursor.Input.End)
        {
            int initial = _cursor.Input.Data[_cursor.Input.Position];
            if (initial < 24)
            {
                _cursor.Input.Position++;
                return initial;
            }
            if (initial is >= CborMajor.Negative and < CborMajor.Negative + 24)
            {
                _cursor.Input.Position++;
                return CborMajor.Negative - 1 - initial;
            }
        }
        var at = _cursor.Input.Position;
        var argument = ReadInteger(at, out var isNegative);
        if (argument > long.MaxValue) { throw OutOfRange(at, argument, isNegative, "-2^63 to 2^63 - 1"); }
        return isNegative ? ~(long)argument : (long)argument;
    }

    /// <summary>Reads an integer from 0 to 2^64 - 1.</summary>
    public ulong ReadUInt64()
    {
        var at = _cursor.Input.Position;
        var argument = ReadInteger(at, out var isNegative);
        return isNegative ? throw OutOfRange(at, argument, isNegative, "0 to 2^64 - 1") : argument;
    }

    /// <summary>Reads an integer of any size: an integer, or bytes with tag 2 or 3 (RFC 8949, section 3.4.3).</summary>
    public BigInteger ReadBigInteger()
    {
        if (TryReadBignum(out var value)) { return value; }
        var argument = ReadPlainInteger(out var isNegative);
        return isNegative ? -BigInteger.One - argument : argument;
    }

    /// <summary>Reads a number. Integers are converted, and rounded if they have more than 53 bits.</summary>
    public double ReadDouble()
    {
        if (_cursor.Input.Left >= 9 && _cursor.Input.Data[_cursor.Input.Position] == CborMajor.Double)
        {
            _cursor.Input.Position += 9;
            return BinaryPrimitives.ReadDoubleBigEndian(_cursor.Input.Data.AsSpan(_cursor.Input.Position - 8, 8));
        }
        if (TryReadBignum(out var big)) { return (double)big; }
        var initial = _cursor.Input.Initial();
        switch (initial)
        {
            case CborMajor.Half: return (double)BitConverter.UInt16BitsToHalf((ushort)_cursor.Input.ReadArgument(initial));
            case CborMajor.Single: return BitConverter.UInt32BitsToSingle((uint)_cursor.Input.ReadArgument(initial));
            case CborMajor.Double: return BitConverter.UInt64BitsToDouble(_cursor.Input.ReadArgument(initial));
        }
        if (initial >= CborMajor.Bytes) { throw _cursor.Mismatch("a number", initial); }
        var argument = ReadPlainInteger(out var isNegative);
        return isNegative ? -1.0 - argument : argument;
    }

    /// <summary>Reads a text. Invalid UTF-8 is an error.</summary>
    public string ReadText()
    {
        var text = _cursor.Input.ReadString(_cursor.Expect(CborMajor.Text, "a text"));
        _cursor.Spend(CborSpending.Text + ((long)text.Length * sizeof(char)));
        return Encoding.UTF8.GetString(text);
    }

    /// <summary>Reads a text and returns its UTF-8, validated. The bytes are valid until the next call.</summary>
    public ReadOnlySpan<byte> ReadUtf8() => _cursor.Input.ReadString(_cursor.Expect(CborMajor.Text, "a text"));

    /// <summary>Reads bytes.</summary>
    public byte[] ReadBytes()
    {
        var bytes = _cursor.Input.ReadString(_cursor.Expect(CborMajor.Bytes, "a byte string"));
        _cursor.Spend(CborSpending.Text + bytes.Length);
        return bytes.ToArray();
    }

    /// <summary>Reads a point in time: tag 0 with a text of RFC 3339, or tag 1 with a number, which is rounded to microseconds.</summary>
    public DateTimeOffset ReadTimestamp()
    {
        var at = _cursor.Input.Position;
        while (true)
        {
            var initial = _cursor.Input.Initial();
            if ((initial & 0xe0) != CborMajor.Tag) { throw _cursor.Mismatch("a time (tag 0 or 1)", initial); }
            switch (_cursor.ReadTag())
            {
                case CborMajor.DateTimeTag: return CborTimes.TryParse(ReadUtf8(), out var fromText) ? fromText : throw NoTime(at, "text");
                case CborMajor.EpochTag: return TryReadSeconds(out var fromNumber) ? fromNumber : throw NoTime(at, "number");
            }
        }
    }

    /// <summary>Reads the number of a tag (RFC 8949, section 3.4). The tagged item follows.</summary>
    public ulong ReadTag() => _cursor.ReadTag();

    /// <summary>Begins to read an array. Returns the number of items, or <see langword="null"/> if it is not announced.</summary>
    /// <remarks>
    /// The number never exceeds the number of bytes that are left, so that a collection of this size costs a small multiple of the payload.
    /// </remarks>
    public int? ReadArrayStart() => _cursor.Start(_cursor.Expect(CborMajor.Array, "an array"), 1);

    /// <summary>Begins to read a map. Returns the number of entries, or <see langword="null"/> if it is not announced.</summary>
    /// <remarks>The number never exceeds half of the bytes that are left.</remarks>
    public int? ReadMapStart() => _cursor.Start(_cursor.Expect(CborMajor.Map, "a map"), 2);

    /// <summary>
    /// Moves to the next item of the innermost array, or to the next key of the innermost map. Returns <see langword="false"/> at its end.
    /// </summary>
    public bool MoveNext() => _cursor.MoveNext();

    /// <summary>
    /// Reads the next integers of the innermost array, each from -2^31 to 2^31 - 1. Faster than <see cref="MoveNext"/> and
    /// <see cref="ReadInt64"/> for each.
    /// </summary>
    /// <returns>
    /// The number of integers. If it is less than the length of the span, the array has ended, as if <see cref="MoveNext"/> had returned
    /// <see langword="false"/>.
    /// </returns>
    public int ReadInt32s(Span<int> values)
    {
        for (var done = 0; done < values.Length;)
        {
            var taken = _cursor.TakeInt32s(values[done..]);
            done += taken;
            if (taken > 0) { continue; }
            // Anything other than an integer in its usual form, such as the end or an error.
            if (!MoveNext()) { return done; }
            values[done++] = this.ReadInt32();
        }
        return values.Length;
    }

    /// <summary>Skips the next item with all items inside.</summary>
    public void Skip() => _cursor.Skip();

    /// <summary>Throws unless the whole payload has been read.</summary>
    public void ReadEnd()
    {
        if (_cursor.Nesting.Count > 0) { throw Error("The end of the payload is expected inside an array or map"); }
        if (_cursor.Input.Left > 0) { throw Error($"The payload goes on for {_cursor.Input.Left} bytes after its value"); }
    }

    /// <summary>Creates the exception for an item that is valid in the format but not for the type that is read.</summary>
    public CoapPayloadException Error(string message) => _cursor.Input.Error(message);

    /// <summary>
    /// Reads complete integers of 32 bits outside of arrays and maps, one after another. Stops before any other item, and before one that is cut off.
    /// Never throws.
    /// </summary>
    internal int TakeInt32s(Span<int> values) => CborIntegers.Take(ref _cursor.Input, values);

    /// <summary>
    /// Begins a value whose memory is bounded by <see cref="PayloadLimits.MaxMemory"/>. It must be read by a contract, in one call.
    /// </summary>
    internal void BeginValue() => _cursor.Spending.Start();

    /// <summary>Counts memory that is about to be allocated for the value.</summary>
    /// <exception cref="CoapPayloadException">The value takes too much memory.</exception>
    internal void Spend(long bytes) => _cursor.Spend(bytes);

    /// <summary>Prepares the reader for another document.</summary>
    internal void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits) => _cursor.Reset(payload, limits);

    private bool TryReadSeconds(out DateTimeOffset value)
    {
        if (_cursor.SkipTags() >= CborMajor.Simple) { return CborTimes.TryFromSeconds(ReadDouble(), out value); }
        var argument = ReadPlainInteger(out var isNegative);
        value = default;
        return argument <= long.MaxValue && CborTimes.TryFromSeconds(isNegative ? ~(long)argument : (long)argument, out value);
    }

    // Reads tags, and the integer if one of them says that there is a big one.
    private bool TryReadBignum(out BigInteger value)
    {
        while ((_cursor.Input.Initial() & 0xe0) == CborMajor.Tag)
        {
            var tag = _cursor.ReadTag();
            if (tag is not (CborMajor.PositiveTag or CborMajor.NegativeTag)) { continue; }
            value = new BigInteger(_cursor.Input.ReadString(_cursor.Expect(CborMajor.Bytes, "a byte string")), isUnsigned: true, isBigEndian: true);
            if (tag == CborMajor.NegativeTag) { value = -BigInteger.One - value; }
            return true;
        }
        value = default;
        return false;
    }

    private ulong ReadInteger(int at, out bool isNegative)
    {
        if (!TryReadBignum(out var value)) { return ReadPlainInteger(out isNegative); }
        isNegative = value.Sign < 0;
        var magnitude = isNegative ? -BigInteger.One - value : value;
        if (magnitude <= ulong.MaxValue) { return (ulong)magnitude; }
        _cursor.Input.Position = at;
        throw Error("The integer has more than 64 bits");
    }

    private ulong ReadPlainInteger(out bool isNegative)
    {
        var initial = _cursor.Input.Initial();
        if (initial >= CborMajor.Bytes) { throw _cursor.Mismatch("an integer", initial); }
        isNegative = initial >= CborMajor.Negative;
        return _cursor.Input.ReadArgument(initial);
    }

    private CoapPayloadException NoTime(int at, string form)
    {
        _cursor.Input.Position = at;
        return Error($"The {form} is not a valid time from year 1 to 9999");
    }

    private CoapPayloadException OutOfRange(int at, ulong argument, bool isNegative, string range)
    {
        _cursor.Input.Position = at;
        return Error($"The integer is {(isNegative ? -BigInteger.One - argument : argument)}; {range} are allowed");
    }
}
