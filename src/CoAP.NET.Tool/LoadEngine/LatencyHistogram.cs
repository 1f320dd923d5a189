using System.Numerics;

namespace CoAP.Tool.LoadEngine;

/// <summary>Counts times in buckets of at most 1/128 of their value, so that a percentile is less than 1 % off. Its size is fixed.</summary>
internal sealed class LatencyHistogram
{
    private const int Bits = 7;
    private const int StepsEach = 1 << Bits;

    private readonly long[] _counts = new long[(64 - Bits + 1) * StepsEach];

    public long Count { get; private set; }

    /// <summary>The longest time, exactly.</summary>
    public long Max { get; private set; }

    /// <summary>The buckets in use, smallest first: the highest time that falls into each, in nanoseconds, and its count.</summary>
    public IEnumerable<(double Nanoseconds, long Count)> Steps =>
        Enumerable.Range(0, _counts.Length).Where(at => _counts[at] > 0).Select(at => ((double)HighestIn(at), _counts[at]));

    /// <summary>Counts a time. A negative one counts as 0.</summary>
    public void Record(long nanoseconds)
    {
        var value = Math.Max(0, nanoseconds);
        _counts[IndexOf(value)]++;
        Count++;
        Max = Math.Max(Max, value);
    }

    /// <summary>Returns the time in nanoseconds that the given share of all times, 0 to 1, does not exceed; 0 when nothing was recorded.</summary>
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

    /// <summary>Adds the counts of another histogram.</summary>
    public void Add(LatencyHistogram other)
    {
        for (var index = 0; index < _counts.Length; index++) { _counts[index] += other._counts[index]; }
        Count += other.Count;
        Max = Math.Max(Max, other.Max);
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
