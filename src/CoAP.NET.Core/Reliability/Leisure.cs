namespace CoAP.Reliability;

/// <summary>The time of the response to a multicast request (RFC 7252, section 8.2).</summary>
internal static class Leisure
{
    /// <summary>Returns the delay of the response: from 0 to below the leisure.</summary>
    /// <param name="leisure">The leisure in ticks.</param>
    /// <param name="chance">A random number from 0 to below 1.</param>
    public static long Pick(long leisure, double chance) => (long)(leisure * chance);

    /// <summary>Returns the lower bound lb_Leisure = S * G / R.</summary>
    /// <param name="responseSize">S, in bytes.</param>
    /// <param name="groupSize">G, in endpoints.</param>
    /// <param name="rate">R, in bytes per second.</param>
    public static TimeSpan LowerBound(int responseSize, int groupSize, double rate)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(responseSize);
        ArgumentOutOfRangeException.ThrowIfNegative(groupSize);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(rate);
        return TimeSpan.FromSeconds((double)responseSize * groupSize / rate);
    }
}
