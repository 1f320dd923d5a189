using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>
/// Writes CBOR in its preferred serialization: the shortest heads and the shortest exact floating-point numbers (RFC 8949, section 4.1).
/// </summary>
/// <remarks>
/// <para>Call <see cref="Flush"/> at the end: until then, the buffer may lack bytes. The writer does not check the structure: that arrays and maps
/// get as many items as announced, that each start without a count has its <see cref="WriteBreak"/>, and that an item follows each tag.</para>
/// <para>Not safe for concurrent use.</para>
/// </remarks>
public sealed class CborWriter : ItemWriter
{
    private const int LongestHead = 9;
    private const int SmallText = 256;
    private const int IntegersAtOnce = 4096;

    private ItemBuffer _buffer;

    /// <summary>Creates a writer.</summary>
    public CborWriter(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        _buffer = new ItemBuffer(output);
    }

    /// <inheritdoc/>
    public override void WriteNull() => WriteByte(CborMajor.Null);

    /// <summary>Writes the simple value "undefined" (RFC 8949, section 3.3).</summary>
    public void WriteUndefined() => WriteByte(CborMajor.Undefined);

    /// <inheritdoc/>
    public override void WriteBoolean(bool value) => WriteByte(value ? CborMajor.True : CborMajor.False);

    /// <summary>Writes a simple value (RFC 8949, section 3.3). 20 to 23 are false, true, null and undefined.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is one of 24 to 31, which are reserved.</exception>
    public void WriteSimple(byte value)
    {
        if (value is >= 24 and < 32)
        {
            throw new ArgumentOutOfRangeException(nameof(value), $"The simple value is {value}; 24 to 31 are reserved (RFC 8949, section 3.3).");
        }
        WriteHead(CborMajor.Simple, value);
    }

    /// <inheritdoc/>
    public override void WriteInt64(long value)
    {
        var sign = value >> 63;
        WriteHead((int)sign & CborMajor.Negative, (ulong)(value ^ sign));
    }

    /// <inheritdoc/>
    public override void WriteUInt64(ulong value) => WriteHead(CborMajor.Unsigned, value);

    /// <summary>
    /// Writes an integer of any size: as an integer if it has at most 64 bits, otherwise with tag 2 or 3 (RFC 8949, section 3.4.3).
    /// </summary>
    public void WriteBigInteger(BigInteger value)
    {
        var isNegative = value.Sign < 0;
        var magnitude = isNegative ? -BigInteger.One - value : value;
        if (magnitude <= ulong.MaxValue)
        {
            WriteHead(isNegative ? CborMajor.Negative : CborMajor.Unsigned, (ulong)magnitude);
            return;
        }
        WriteTag(isNegative ? CborMajor.NegativeTag : CborMajor.PositiveTag);
        WriteBytes(magnitude.ToByteArray(isUnsigned: true, isBigEndian: true));
    }

    /// <inheritdoc/>
    public override void WriteInt32s(ReadOnlySpan<int> values)
    {
        while (!values.IsEmpty)
        {
            var count = Math.Min(values.Length, IntegersAtOnce);
            if (_buffer.Free < count * 5) { count = FitIntegers(count); }
            ref var start = ref MemoryMarshal.GetArrayDataReference(_buffer.Part);
            var position = (nint)_buffer.Position;
            foreach (var value in values[..count])
            {
                position += CborHeads.WriteInt32(ref Unsafe.Add(ref start, position), value);
            }
            _buffer.Position = (int)position;
            values = values[count..];
        }
    }

    /// <inheritdoc/>
    /// <remarks>Each NaN is written as 0xf97e00.</remarks>
    public override void WriteSingle(float value)
    {
        _buffer.Reserve(LongestHead);
        _buffer.Position += CborHeads.WriteSingle(_buffer.Part.AsSpan(_buffer.Position), value);
    }

    /// <inheritdoc/>
    /// <remarks>Each NaN is written as 0xf97e00.</remarks>
    public override void WriteDouble(double value)
    {
        _buffer.Reserve(LongestHead);
        _buffer.Position += CborHeads.WriteDouble(_buffer.Part.AsSpan(_buffer.Position), value);
    }

    /// <inheritdoc/>
    public override void WriteText(ReadOnlySpan<char> value)
    {
        if (value.Length <= SmallText)
        {
            _buffer.Reserve((value.Length * 3) + 3);
            _buffer.Position += CborTexts.WriteSmall(_buffer.Part.AsSpan(_buffer.Position), value);
            return;
        }
        WriteHead(CborMajor.Text, (ulong)CborTexts.CountBytes(value));
        while (!value.IsEmpty)
        {
            _buffer.Reserve(SmallText);
            value = value[CborTexts.Encode(value, _buffer.Part.AsSpan(_buffer.Position, _buffer.Free), out var written)..];
            _buffer.Position += written;
        }
    }

    /// <inheritdoc/>
    public override void WriteUtf8(ReadOnlySpan<byte> value)
    {
        WriteHead(CborMajor.Text, (ulong)value.Length);
        _buffer.Write(value);
    }

    /// <inheritdoc/>
    public override void WriteBytes(ReadOnlySpan<byte> value)
    {
        WriteHead(CborMajor.Bytes, (ulong)value.Length);
        _buffer.Write(value);
    }

    /// <inheritdoc/>
    public override void WriteArrayStart(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        WriteHead(CborMajor.Array, (ulong)count);
    }

    /// <summary>Begins an array without a count. <see cref="WriteBreak"/> ends it (RFC 8949, section 3.2.2).</summary>
    public void WriteArrayStart() => WriteByte(CborMajor.Array | CborMajor.Indefinite);

    /// <inheritdoc/>
    public override void WriteMapStart(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        WriteHead(CborMajor.Map, (ulong)count);
    }

    /// <summary>Begins a map without a count. <see cref="WriteBreak"/> ends it (RFC 8949, section 3.2.2).</summary>
    public void WriteMapStart() => WriteByte(CborMajor.Map | CborMajor.Indefinite);

    /// <summary>Begins a text of several parts, each written as a text. <see cref="WriteBreak"/> ends it (RFC 8949, section 3.2.3).</summary>
    public void WriteTextStart() => WriteByte(CborMajor.Text | CborMajor.Indefinite);

    /// <summary>Begins a byte string of several parts, each written as bytes. <see cref="WriteBreak"/> ends it (RFC 8949, section 3.2.3).</summary>
    public void WriteBytesStart() => WriteByte(CborMajor.Bytes | CborMajor.Indefinite);

    /// <summary>Ends an array, map, text or byte string that was begun without a count or length.</summary>
    public void WriteBreak() => WriteByte(CborMajor.Break);

    /// <summary>Writes a tag, which gives a meaning to the next item (RFC 8949, section 3.4).</summary>
    public void WriteTag(ulong tag) => WriteHead(CborMajor.Tag, tag);

    /// <summary>Writes a point in time, without its offset from UTC.</summary>
    /// <remarks>
    /// Tag 1 with an integer if the time has whole seconds, or with a number of 64 bits if the time can be restored from it: this holds for
    /// microseconds until the year 2242. Otherwise, tag 0 with a text (RFC 8949, sections 3.4.1 and 3.4.2). Each value can be restored exactly.
    /// </remarks>
    public override void WriteTimestamp(DateTimeOffset value)
    {
        if (CborTimes.TryGetWholeSeconds(value, out var whole))
        {
            WriteTag(CborMajor.EpochTag);
            WriteInt64(whole);
        }
        else if (CborTimes.TryGetSeconds(value, out var seconds))
        {
            WriteTag(CborMajor.EpochTag);
            WriteDouble(seconds);
        }
        else
        {
            WriteTag(CborMajor.DateTimeTag);
            Span<byte> text = stackalloc byte[CborTimes.LongestText];
            WriteUtf8(text[..CborTimes.Format(value, text)]);
        }
    }

    /// <summary>Writes an item that is already encoded, or several. They are not checked.</summary>
    public void WriteEncoded(ReadOnlySpan<byte> items) => _buffer.Write(items);

    /// <inheritdoc/>
    public override void Flush() => _buffer.Flush();

    internal override void Reset(IBufferWriter<byte> output) => _buffer.Reset(output);

    private void WriteByte(byte value)
    {
        _buffer.Reserve(1);
        _buffer.Part[_buffer.Position++] = value;
    }

    private void WriteHead(int major, ulong value)
    {
        _buffer.Reserve(LongestHead);
        if (value < 24) { _buffer.Part[_buffer.Position++] = (byte)(major | (int)value); }
        else { _buffer.Position += CborHeads.Write(_buffer.Part.AsSpan(_buffer.Position), major, value); }
    }

    // Takes what fits into the rest of the part, so that the part is not left half empty.
    private int FitIntegers(int count)
    {
        if (_buffer.Free < 5) { _buffer.Reserve(Math.Min(count * 5, IntegersAtOnce)); }
        return Math.Min(count, _buffer.Free / 5);
    }
}
