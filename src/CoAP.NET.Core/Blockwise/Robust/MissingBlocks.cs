using System.Buffers.Binary;

namespace CoAP.Blockwise;

/// <summary>Reads and writes application/missing-blocks+cbor-seq: block numbers as a CBOR sequence of unsigned integers (RFC 9177, section 5).</summary>
internal static class MissingBlocks
{
    private const int MostBytes = 5;

    /// <summary>Writes numbers.</summary>
    /// <param name="numbers">The numbers in ascending order without duplicates.</param>
    /// <param name="maxLength">The most bytes of the result. Numbers that do not fit are left out (RFC 9177, section 5).</param>
    public static byte[] Write(ReadOnlySpan<int> numbers, int maxLength)
    {
        var bytes = new byte[Math.Min(maxLength, numbers.Length * MostBytes)];
        var length = 0;
        foreach (var number in numbers)
        {
            if (length + SizeOf(number) > bytes.Length) { break; }
            length += Write(bytes.AsSpan(length), number);
        }
        return length == bytes.Length ? bytes : bytes[..length];
    }

    /// <summary>Reads numbers. Fails if there are none, or if they are not ascending block numbers (RFC 9177, section 5).</summary>
    /// <param name="bytes">The payload.</param>
    /// <param name="numbers">Receives the numbers. Excess numbers are only validated.</param>
    /// <param name="count">The number of received numbers.</param>
    public static bool TryRead(ReadOnlySpan<byte> bytes, Span<int> numbers, out int count)
    {
        count = 0;
        var previous = -1;
        while (!bytes.IsEmpty)
        {
            if (!TryReadNumber(ref bytes, out var number) || number <= previous) { return false; }
            if (count < numbers.Length) { numbers[count++] = number; }
            previous = number;
        }
        return previous >= 0;
    }

    // RFC 8949, section 3.1: major type 0; up to 23 in the first byte, otherwise in the next 1, 2, 4 or 8 bytes.
    private static bool TryReadNumber(ref ReadOnlySpan<byte> bytes, out int number)
    {
        number = 0;
        int first = bytes[0], length = first switch { < 24 => 0, 24 => 1, 25 => 2, 26 => 4, 27 => 8, _ => -1 };
        if (length < 0 || bytes.Length <= length) { return false; }
        var value = length == 0 ? (ulong)first : 0;
        foreach (var one in bytes.Slice(1, length)) { value = (value << 8) | one; }
        bytes = bytes[(1 + length)..];
        number = (int)Math.Min(value, int.MaxValue);
        return value <= BlockSize.MaxNumber;
    }

    private static int SizeOf(int number) => number switch { < 24 => 1, < 1 << 8 => 2, < 1 << 16 => 3, _ => MostBytes };

    private static int Write(Span<byte> bytes, int number)
    {
        var size = SizeOf(number);
        switch (size)
        {
            case 1:
                bytes[0] = (byte)number;
                break;
            case 2:
                (bytes[0], bytes[1]) = (24, (byte)number);
                break;
            case 3:
                bytes[0] = 25;
                BinaryPrimitives.WriteUInt16BigEndian(bytes[1..], (ushort)number);
                break;
            default:
                bytes[0] = 26;
                BinaryPrimitives.WriteUInt32BigEndian(bytes[1..], (uint)number);
                break;
        }
        return size;
    }
}
