using CoAP.Problems;

namespace CoAP.Blockwise;

/// <summary>Reads and writes application/missing-blocks+cbor-seq: block numbers as a CBOR sequence of unsigned integers (RFC 9177, section 5).</summary>
internal static class MissingBlocks
{
    /// <summary>Writes numbers.</summary>
    /// <param name="numbers">The numbers in ascending order without duplicates.</param>
    /// <param name="maxLength">The most bytes of the result. Numbers that do not fit are left out (RFC 9177, section 5).</param>
    public static byte[] Write(ReadOnlySpan<int> numbers, int maxLength)
    {
        var writer = new CborWriter();
        var length = 0;
        foreach (var number in numbers)
        {
            writer.WriteInteger(number);
            if (writer.Length > maxLength) { break; }
            length = writer.Length;
        }
        return writer.ToArray()[..length];
    }

    /// <summary>Reads numbers. Fails if there are none, or if they are not ascending block numbers (RFC 9177, section 5).</summary>
    /// <param name="bytes">The payload.</param>
    /// <param name="numbers">Receives the numbers. Excess numbers are only validated.</param>
    /// <param name="count">The number of received numbers.</param>
    public static bool TryRead(ReadOnlySpan<byte> bytes, Span<int> numbers, out int count)
    {
        count = 0;
        var previous = -1;
        for (var reader = new CborReader(bytes); !reader.IsAtEnd;)
        {
            if (!reader.TryReadInteger(out var number) || number <= previous || number > BlockSize.MaxNumber) { return false; }
            previous = (int)number;
            if (count < numbers.Length) { numbers[count++] = previous; }
        }
        return previous >= 0;
    }
}
