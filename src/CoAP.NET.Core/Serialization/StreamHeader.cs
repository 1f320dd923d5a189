using System.Buffers.Binary;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The header of a message on a byte stream: length, token length and code (RFC 8323, section 3.2).</summary>
internal readonly struct StreamHeader
{
    /// <summary>The largest number of bytes before the token: nibbles, extended length, code and extended token length.</summary>
    public const int MaxLength = 1 + 4 + 1 + 2;

    private const int FourBytes = 15;
    private const int FourBytesOffset = 65_805;

    private StreamHeader(CoapCode code, int tokenStart, int tokenLength, long tailLength) =>
        (Code, _tokenStart, TokenLength, TailLength) = (code, (byte)tokenStart, tokenLength, tailLength);

    private readonly byte _tokenStart;

    public CoapCode Code { get; }

    /// <summary>The start of the token, counted from the first byte of the message.</summary>
    public int TokenStart => _tokenStart;

    public int TokenLength { get; }

    /// <summary>The number of bytes of options, marker and payload.</summary>
    public long TailLength { get; }

    /// <summary>The number of bytes of the whole message.</summary>
    public long TotalLength => TokenStart + TokenLength + TailLength;

    /// <summary>The number of bytes that extend the Len field. Each length has exactly one encoding.</summary>
    public int ExtendedLengthSize => GetLength(TailLength) - GetLength(0);

    /// <summary>Determines the length of a message from its first bytes.</summary>
    public static MessageExtent Measure(ReadOnlySpan<byte> start)
    {
        var error = Read(start, out var header);
        if (error == FormatError.None) { return MessageExtent.Exactly(header.TotalLength); }
        if (error != FormatError.Truncated) { return MessageExtent.Malformed(error); }
        return MessageExtent.AtLeast(start.IsEmpty ? 2 : 2 + ExtendedLength(start[0] >> 4) + TokenFormat.ExtendedLengthOf(start[0] & 15));
    }

    /// <summary>Reads the header. <see cref="FormatError.Truncated"/> means that more bytes are needed.</summary>
    public static FormatError Read(ReadOnlySpan<byte> bytes, out StreamHeader header)
    {
        header = default;
        if (bytes.IsEmpty) { return FormatError.Truncated; }
        int nibble = bytes[0] >> 4, tokenLength = bytes[0] & 15;
        if (tokenLength == OptionFormat.Reserved) { return FormatError.ReservedTokenLength; }
        var position = 1 + ExtendedLength(nibble);
        if (position >= bytes.Length) { return FormatError.Truncated; }
        var tail = ReadLength(bytes[1..], nibble);
        var code = new CoapCode(bytes[position++]);
        var error = TokenFormat.ReadLength(bytes, ref position, ref tokenLength);
        if (error == FormatError.None) { header = new StreamHeader(code, position, tokenLength, tail); }
        return error;
    }

    /// <summary>Returns the number of bytes of length and code before a token that needs no extension.</summary>
    public static int GetLength(long tail) => 2 + ExtendedLength(Nibble(tail));

    /// <summary>Writes length and code and returns the number of bytes. The extended token length follows.</summary>
    public static int Write(Span<byte> destination, long tail, CoapCode code, int tokenNibble)
    {
        var nibble = Nibble(tail);
        destination[0] = (byte)((nibble << 4) | tokenNibble);
        if (nibble == FourBytes) { BinaryPrimitives.WriteUInt32BigEndian(destination[1..], (uint)(tail - FourBytesOffset)); }
        else { OptionFormat.WriteExtended(destination[1..], (int)tail); }
        var length = GetLength(tail);
        destination[length - 1] = code.Value;
        return length;
    }

    private static int Nibble(long tail) => tail >= FourBytesOffset ? FourBytes : OptionFormat.Nibble((int)tail);

    private static int ExtendedLength(int nibble) => nibble switch
    {
        < OptionFormat.OneByte => 0,
        OptionFormat.OneByte => 1,
        OptionFormat.TwoBytes => 2,
        _ => 4,
    };

    private static long ReadLength(ReadOnlySpan<byte> bytes, int nibble) => nibble switch
    {
        < OptionFormat.OneByte => nibble,
        OptionFormat.OneByte => bytes[0] + OptionFormat.OneByteOffset,
        OptionFormat.TwoBytes => BinaryPrimitives.ReadUInt16BigEndian(bytes) + OptionFormat.TwoBytesOffset,
        _ => BinaryPrimitives.ReadUInt32BigEndian(bytes) + (long)FourBytesOffset,
    };
}
