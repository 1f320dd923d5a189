using System.Numerics;

namespace CoAP.Tool.Benchmarking;

/// <summary>Counts times in buckets of at most 1/64 of their value, so that a percentile is less than 2 % off. Its size is fixed.</summary>
internal sealed class LatencyHistogram
{
    private const int Bits = 6;
    private const int StepsPerOctave = 1 << Bits;

    private readonly long[] _counts = new long[(64 - Bits) * StepsPerOctave];

    public long Count { get; private set; }

    /// <summary>The longest time, exactly.</summary>
    public long Max { get; private set; }

    /// <summary>Counts a time in nanoseconds. A negative one counts as 0.</summary>
    public void Record(long nanoseconds)
    {
        var value = Math.Max(0, nanoseconds);
        _counts[IndexOf(value)]++;
        Count++;
        if (value > Max) { Max = value; }
    }

    /// <summary>Adds the counts of another histogram.</summary>
    public void Add(LatencyHistogram other)
    {
        for (var index = 0; index < _counts.Length; index++) { _counts[index] += other._counts[index]; }
        Count += other.Count;
        Max = Math.Max(Max, other.Max);
    }

    /// <summary>Returns the time that a share of all times, 0 to 1, does not exceed; zero if there is none.</summary>
    public TimeSpan Percentile(double share)
    {
        // 0.999 of 1,000 is 999.0000000000001 in binary fractions.
        var rank = Math.Max(1, (long)Math.Ceiling((share * Count) - 1e-6));
        for (var index = 0; index < _counts.Length && Count > 0; index++)
        {
            rank -= _counts[index];
            if (rank <= 0) { return ToTime(Math.Min(Max, HighestIn(index))); }
        }
        return ToTime(Max);
    }

    /// <summary>Converts nanoseconds to a time with a resolution of 100 ns.</summary>
    public static TimeSpan ToTime(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick);

    // Below 2 * StepsPerOctave, each value has a bucket of its own. Above, each power of two has StepsPerOctave buckets.
    private static int IndexOf(long value)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)value | 1) - Bits);
        return (shift << Bits) + (int)(value >> shift);
    }

    private static long HighestIn(int index)
    {
        var shift = Math.Max(0, (index >> Bits) - 1);
        return ((index - ((long)shift << Bits) + 1) << shift) - 1;
    }
}
