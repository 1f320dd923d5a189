using System.Numerics;

namespace CoAP.Measurements.Servers.Load;

/// <summary>A histogram of times with steps of 1/32 of the value: enough for percentiles, and the same size for any number of requests.</summary>
internal sealed class Latencies
{
    private const int StepBits = 5;
    private const int Steps = 1 << StepBits;

    private readonly long[] _counts = new long[64 * Steps];

    public long Count { get; private set; }

    public void Add(TimeSpan time)
    {
        var nanoseconds = Math.Max(1, (long)time.TotalNanoseconds);
        _counts[IndexOf(nanoseconds)]++;
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
        return shift * Steps + (int)(value >> shift);
    }

    private static double UpperBound(int index)
    {
        var shift = Math.Max(0, index / Steps - 1);
        return ((double)(index - shift * Steps) + 1) * Math.Pow(2, shift);
    }
}
