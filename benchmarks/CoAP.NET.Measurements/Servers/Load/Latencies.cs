using System.Numerics;

namespace CoAP.Measurements.Servers.Load;

/// <summary>A histogram of times with steps of 1/32 of the value: enough for percentiles, and the same size for any number of requests.</summary>
internal sealed class Latencies
{
    private const int StepBits = 5;
    private const int StepsEach = 1 << StepBits;

    private readonly long[] _counts = new long[64 * StepsEach];

    public long Count { get; private set; }

    /// <summary>What there is, smallest first: up to so many nanoseconds, and how many of them.</summary>
    public IEnumerable<(double Nanoseconds, long Count)> Steps =>
        Enumerable.Range(0, _counts.Length).Where(at => _counts[at] > 0).Select(at => (UpperBound(at), _counts[at]));

    public void Add(TimeSpan time) => Add((long)time.TotalNanoseconds);

    public void Add(long nanoseconds)
    {
        _counts[IndexOf(Math.Max(1, nanoseconds))]++;
        Count++;
    }

    /// <summary>The time that the given share of the requests did not exceed, in milliseconds.</summary>
    public double Percentile(double share)
    {
        var rank = (long)Math.Ceiling(share * Count);
        for (int i = 0; i < _counts.Length; i++)
        {
            rank -= _counts[i];
            if (rank <= 0 && Count > 0) { return UpperBound(i) / 1e6; }
        }
        return double.NaN;
    }

    private static int IndexOf(long value)
    {
        var power = 63 - BitOperations.LeadingZeroCount((ulong)value);
        var shift = Math.Max(0, power - StepBits);
        return shift * StepsEach + (int)(value >> shift);
    }

    private static double UpperBound(int index)
    {
        var shift = Math.Max(0, index / StepsEach - 1);
        return ((double)(index - shift * StepsEach) + 1) * Math.Pow(2, shift);
    }
}
