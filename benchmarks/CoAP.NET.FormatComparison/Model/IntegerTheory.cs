namespace CoAP.FormatComparison.Model;

/// <summary>
/// The mean number of bytes of a uniformly distributed integer of 32 bits, computed from the ranges of each length (source document, section 2.4).
/// </summary>
internal static class IntegerTheory
{
    private const long Least = int.MinValue;
    private const long Most = int.MaxValue;

    /// <summary>The mean number of digits of a positive integer as the document counts: the sum from 0 to 2^31, divided by 2^31. 9.4826.</summary>
    public static double DocumentDigits => (double)Sum(0, Most + 1, Digits) / (Most + 1);

    /// <summary>The document's mean length as text: half a character more for the sign. 9.9826.</summary>
    public static double DocumentText => DocumentDigits + 0.5;

    /// <summary>The rows of the document's table 2: the smallest and the largest integer of each number of digits.</summary>
    public static IReadOnlyList<(long From, long To, long Count, int Digits)> DocumentRows =>
        [.. Ranges(0, Most + 1, Digits).Select(static range => (range.From, range.To, range.To - range.From + 1, range.Length))];

    /// <summary>The mean length of an integer from -2^31 to 2^31 - 1 as decimal text, sign included.</summary>
    public static double Text => Mean(static value => Digits(Math.Abs(value)) + (value < 0 ? 1 : 0));

    /// <summary>In CBOR: a head with the value or with 1, 2 or 4 bytes (RFC 8949, section 3.1).</summary>
    public static double Cbor => Mean(static value => (value < 0 ? -1 - value : value) switch
    {
        < 24 => 1,
        <= byte.MaxValue => 2,
        <= ushort.MaxValue => 3,
        _ => 5,
    });

    /// <summary>In MessagePack: fixint, or the shortest of uint and int with 8, 16 or 32 bits.</summary>
    public static double MessagePack => Mean(static value => value switch
    {
        >= -32 and <= 127 => 1,
        >= sbyte.MinValue and <= byte.MaxValue => 2,
        >= short.MinValue and <= ushort.MaxValue => 3,
        _ => 5,
    });

    /// <summary>In Protobuf as sint32: zigzag, 7 bits in each byte.</summary>
    public static double ZigZag => Mean(static value => Varint(value < 0 ? (-2 * value) - 1 : 2 * value));

    /// <summary>In Protobuf as sfixed32.</summary>
    public static double Fixed => sizeof(int);

    // Lengths change only at these values, or one beside them: the powers of 10 and of 2, and the small limits of CBOR and MessagePack.
    private static long[] Bounds { get; } =
    [
        .. Enumerable.Range(0, 11).Select(static power => (long)Math.Pow(10, power))
            .Concat(Enumerable.Range(0, 33).Select(static power => 1L << power)).Append(24)
            .SelectMany(static bound => new[] { bound - 1, bound, bound + 1, -bound - 1, -bound, -bound + 1 }).Distinct().Order(),
    ];

    private static double Mean(Func<long, int> length) => (double)Sum(Least, Most, length) / (Most - Least + 1);

    private static long Sum(long from, long to, Func<long, int> length) =>
        Ranges(from, to, length).Sum(static range => (range.To - range.From + 1) * range.Length);

    /// <summary>Splits the integers into ranges of the same length.</summary>
    private static List<(long From, long To, int Length)> Ranges(long from, long to, Func<long, int> length)
    {
        var ranges = new List<(long From, long To, int Length)>();
        foreach (var begin in Bounds.Where(bound => bound > from && bound <= to).Prepend(from))
        {
            var here = length(begin);
            if (ranges.Count > 0 && ranges[^1].Length == here) { continue; }
            if (ranges.Count > 0) { ranges[^1] = ranges[^1] with { To = begin - 1 }; }
            ranges.Add((begin, to, here));
        }
        return ranges;
    }

    private static int Digits(long value) => value < 10 ? 1 : 1 + Digits(value / 10);

    private static int Varint(long value) => value < 128 ? 1 : 1 + Varint(value >> 7);
}
