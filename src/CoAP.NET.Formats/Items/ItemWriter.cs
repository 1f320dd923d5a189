using System.Buffers;

namespace CoAP.Formats;

/// <summary>Writes items in CBOR to a buffer.</summary>
/// <remarks>
/// The writer does not check that arrays and maps get as many items as announced; contracts that the generator creates always write the right number.
/// Not safe for concurrent use.
/// </remarks>
public abstract class ItemWriter
{
    private protected ItemWriter()
    {
    }

    /// <summary>Writes the absence of a value.</summary>
    public abstract void WriteNull();

    /// <summary>Writes a Boolean value.</summary>
    public abstract void WriteBoolean(bool value);

    /// <summary>Writes an integer in its shortest form.</summary>
    public abstract void WriteInt64(long value);

    /// <summary>Writes an integer in its shortest form.</summary>
    public abstract void WriteUInt64(ulong value);

    /// <summary>Writes integers as consecutive items, each in its shortest form. Faster than single calls.</summary>
    public abstract void WriteInt32s(ReadOnlySpan<int> values);

    /// <summary>Writes a number of 32 bits, or a shorter one with exactly the same value.</summary>
    public abstract void WriteSingle(float value);

    /// <summary>Writes a number of 64 bits, or a shorter one with exactly the same value.</summary>
    public abstract void WriteDouble(double value);

    /// <summary>Writes a text.</summary>
    /// <exception cref="ArgumentException">The text contains a lone surrogate.</exception>
    public abstract void WriteText(ReadOnlySpan<char> value);

    /// <summary>Writes a text that is already encoded in UTF-8, such as the name of a member. It is not validated.</summary>
    public abstract void WriteUtf8(ReadOnlySpan<byte> value);

    /// <summary>Writes bytes.</summary>
    public abstract void WriteBytes(ReadOnlySpan<byte> value);

    /// <summary>Begins an array. Its items follow.</summary>
    /// <param name="count">The number of items.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public abstract void WriteArrayStart(int count);

    /// <summary>Begins a map. For each entry, the key and the value follow.</summary>
    /// <param name="count">The number of entries.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public abstract void WriteMapStart(int count);

    /// <summary>Writes a point in time. Its offset from UTC is not kept.</summary>
    /// <remarks>Tag 1, or tag 0 if the time is finer than a microsecond.</remarks>
    public abstract void WriteTimestamp(DateTimeOffset value);

    /// <summary>Hands the bytes written so far to the buffer.</summary>
    public abstract void Flush();

    /// <summary>Prepares the writer for another document.</summary>
    internal abstract void Reset(IBufferWriter<byte> output);
}
