using System.Numerics;

namespace CoAP.Load;

/// <summary>Counts times in buckets of 1/128 of their value or less, so that a percentile is off by less than 1 %; the same size for any number.</summary>
internal sealed class LatencyHistogram
{
    private const int Bits = 7;
    private const int Steps = 1 << Bits;

    private readonly long[] _counts = new long[(64 - Bits + 1) * Steps];

    public long Count { get; private set; }

    /// <summary>The longest time, exactly.</summary>
    public long Max { get; private set; }

    /// <param name="nanoseconds">A time; one below 0 counts as 0.</param>
    public void Record(long nanoseconds)
    {
        var value = Math.Max(0, nanoseconds);
        _counts[IndexOf(value)]++;
        Count++;
        Max = Math.Max(Max, value);
    }

    /// <summary>The time in nanoseconds that a share of all, 0 to 1, did not exceed; 0 where nothing was recorded.</summary>
    public long Percentile(double share)
    {
        // 0.999 of 1,000 is 999.0000000000001 in binary fractions.
        var rank = Math.Max(1, (long)Math.Ceiling((share * Count) - 1e-6));
        for (var index = 0; index < _counts.Length; index++)
        {
            rank -= _counts[index];
            if (rank <= 0) { return Math.Min(Max, HighestIn(index)); }
        }

        return Max;
    }

    public void Clear()
    {
        Array.Clear(_counts);
        (Count, Max) = (0, 0);
    }

    private static int IndexOf(long value)
    {
        var shift = Math.Max(0, 63 - Bits - BitOperations.LeadingZeroCount((ulong)value));
        return (shift << Bits) + (int)(value >> shift);
    }

    private static long HighestIn(int index)
    {
        var shift = Math.Max(0, (index >> Bits) - 1);
        return ((index - ((long)shift << Bits) + 1) << shift) - 1;
    }
}
