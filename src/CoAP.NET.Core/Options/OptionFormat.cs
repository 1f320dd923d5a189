using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace CoAP.Options;

/// <summary>The nibbles of RFC 7252, section 3.1: values up to 12 are in the nibble itself, larger ones in one or two bytes after it.</summary>
internal static class OptionFormat
{
    public const int OneByte = 13;
    public const int TwoBytes = 14;
    public const int Reserved = 15;
    public const int OneByteOffset = 13;
    public const int TwoBytesOffset = 269;
    public const byte PayloadMarker = 0xFF;

    /// <summary>The longest value and the largest delta that two bytes can express.</summary>
    public const int MaxValueLength = TwoBytesOffset + ushort.MaxValue;

    /// <summary>Replaces a nibble of 13 or 14 by the value at the position and advances the position.</summary>
    // Inlined, it lets the caller keep both values in registers.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FormatError ReadExtended(ReadOnlySpan<byte> bytes, ref int position, ref int value)
    {
        switch (value)
        {
            case < OneByte:
                return FormatError.None;
            case OneByte when position < bytes.Length:
                value = bytes[position++] + OneByteOffset;
                return FormatError.None;
            case TwoBytes when position + 1 < bytes.Length:
                value = BinaryPrimitives.ReadUInt16BigEndian(bytes[position..]) + TwoBytesOffset;
                position += 2;
                return FormatError.None;
            case Reserved:
                return FormatError.ReservedOptionNibble;
            default:
                return FormatError.Truncated;
        }
    }

    /// <summary>Returns the number of bytes that a delta or length needs after its nibble.</summary>
    public static int ExtendedLength(int value) => value < OneByteOffset ? 0 : value < TwoBytesOffset ? 1 : 2;

    /// <summary>Returns the nibble of a delta or length.</summary>
    public static int Nibble(int value) => value < OneByteOffset ? value : value < TwoBytesOffset ? OneByte : TwoBytes;

    /// <summary>Writes the bytes after the nibble and returns their number.</summary>
    public static int WriteExtended(Span<byte> destination, int value)
    {
        if (value < OneByteOffset) { return 0; }
        if (value < TwoBytesOffset)
        {
            destination[0] = (byte)(value - OneByteOffset);
            return 1;
        }
        BinaryPrimitives.WriteUInt16BigEndian(destination, (ushort)(value - TwoBytesOffset));
        return 2;
    }
}
