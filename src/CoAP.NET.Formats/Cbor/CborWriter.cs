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
public sealed class CborWriter
{
    private const int LongestHead = 9;
    private const int SmallText = 256;
    private const int IntegersAtOnce = 4096;

    private CborOutput _output;

    /// <summary>Creates a writer.</summary>
    public CborWriter(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        _output = new CborOutput(output);
    }

    /// <summary>Writes the absence of a value.</summary>
    public void WriteNull() => WriteByte(CborMajor.Null);

    /// <summary>Writes the simple value "undefined" (RFC 8949, section 3.3).</summary>
    public void WriteUndefined() => WriteByte(CborMajor.Undefined);

    /// <summary>Writes a Boolean value.</summary>
    public void WriteBoolean(bool value) => WriteByte(value ? CborMajor.True : CborMajor.False);

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

    /// <summary>Writes an integer in its shortest form.</summary>
    public void WriteInt64(long value)
    {
        var sign = value >> 63;
        WriteHead((int)sign & CborMajor.Negative, (ulong)(value ^ sign));
    }

    /// <summary>Writes an integer in its shortest form.</summary>
    public void WriteUInt64(ulong value) => WriteHead(CborMajor.Unsigned, value);

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

    /// <summary>Writes integers as consecutive items, each in its shortest form. Faster than single calls.</summary>
    public void WriteInt32s(ReadOnlySpan<int> values)
    {
        while (!values.IsEmpty)
        {
            var count = Math.Min(values.Length, IntegersAtOnce);
            if (_output.Free < count * 5) { count = FitIntegers(count); }
            ref var start = ref MemoryMarshal.GetArrayDataReference(_output.Part);
            var position = (nint)_output.Position;
            foreach (var value in values[..count])
            {
                position += CborHeads.WriteInt32(ref Unsafe.Add(ref start, position), value);
            }
            _output.Position = (int)position;
            values = values[count..];
        }
    }

    /// <summary>Writes a number of 32 bits, or a shorter one with exactly the same value.</summary>
    /// <remarks>Each NaN is written as 0xf97e00.</remarks>
    public void WriteSingle(float value)
    {
        _output.Reserve(LongestHead);
        _output.Position += CborHeads.WriteSingle(_output.Part.AsSpan(_output.Position), value);
    }

    /// <summary>Writes a number of 64 bits, or a shorter one with exactly the same value.</summary>
    /// <remarks>Each NaN is written as 0xf97e00.</remarks>
    public void WriteDouble(double value)
    {
        _output.Reserve(LongestHead);
        _output.Position += CborHeads.WriteDouble(_output.Part.AsSpan(_output.Position), value);
    }

    /// <summary>Writes a text.</summary>
    /// <exception cref="ArgumentException">The text contains a lone surrogate.</exception>
    public void WriteText(ReadOnlySpan<char> value)
    {
        if (value.Length <= SmallText)
        {
            _output.Reserve((value.Length * 3) + 3);
            _output.Position += CborTexts.WriteSmall(_output.Part.AsSpan(_output.Position), value);
            return;
        }
        WriteHead(CborMajor.Text, (ulong)CborTexts.CountBytes(value));
        while (!value.IsEmpty)
        {
            _output.Reserve(SmallText);
            value = value[CborTexts.Encode(value, _output.Part.AsSpan(_output.Position, _output.Free), out var written)..];
            _output.Position += written;
        }
    }

    /// <summary>Writes a text that is already encoded in UTF-8, such as the name of a member. It is not validated.</summary>
    public void WriteUtf8(ReadOnlySpan<byte> value)
    {
        WriteHead(CborMajor.Text, (ulong)value.Length);
        _output.Write(value);
    }

    /// <summary>Writes bytes.</summary>
    public void WriteBytes(ReadOnlySpan<byte> value)
    {
        WriteHead(CborMajor.Bytes, (ulong)value.Length);
        _output.Write(value);
    }

    /// <summary>Begins an array. Its items follow.</summary>
    /// <param name="count">The number of items.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public void WriteArrayStart(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        WriteHead(CborMajor.Array, (ulong)count);
    }

    /// <summary>Begins an array without a count. <see cref="WriteBreak"/> ends it (RFC 8949, section 3.2.2).</summary>
    public void WriteArrayStart() => WriteByte(CborMajor.Array | CborMajor.Indefinite);

    /// <summary>Begins a map. For each entry, the key and the value follow.</summary>
    /// <param name="count">The number of entries.</param>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public void WriteMapStart(int count)
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
    public void WriteTimestamp(DateTimeOffset value)
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
    public void WriteEncoded(ReadOnlySpan<byte> items) => _output.Write(items);

    /// <summary>Hands the bytes written so far to the buffer.</summary>
    public void Flush() => _output.Flush();

    /// <summary>Prepares the writer for another document.</summary>
    internal void Reset(IBufferWriter<byte> output) => _output.Reset(output);

    private void WriteByte(byte value)
    {
        _output.Reserve(1);
        _output.Part[_output.Position++] = value;
    }

    private void WriteHead(int major, ulong value)
    {
        _output.Reserve(LongestHead);
        if (value < 24) { _output.Part[_output.Position++] = (byte)(major | (int)value); }
        else { _output.Position += CborHeads.Write(_output.Part.AsSpan(_output.Position), major, value); }
    }

    // Takes what fits into the rest of the part, so that the part is not left half empty.
    private int FitIntegers(int count)
    {
        if (_output.Free < 5) { _output.Reserve(Math.Min(count * 5, IntegersAtOnce)); }
        return Math.Min(count, _output.Free / 5);
    }
}
