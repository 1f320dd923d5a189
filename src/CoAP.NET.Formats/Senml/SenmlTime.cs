namespace CoAP.Formats;

/// <summary>Converts times between SenML and .NET (RFC 8428, section 4.5.3).</summary>
/// <remarks>A double has a resolution of 0.24 µs for today's times, so that rounding to microseconds restores exactly what a sender meant.</remarks>
internal static class SenmlTime
{
    /// <summary>The smallest number of seconds that is an absolute time. Smaller ones are relative to now.</summary>
    public const double FirstAbsolute = 1 << 28;

    // 10,000 years. A DateTimeOffset can express 9,999.
    private const double LongestDistance = 315_569_520_000;

    // 8,000 years.
    private const double LongestPeriod = 252_455_616_000;

    private const double MicrosecondsPerSecond = 1_000_000;
    private const long RoundingHalf = TimeSpan.TicksPerMicrosecond / 2;

    /// <summary>Returns the number of seconds since 1970, rounded to microseconds.</summary>
    public static double ToSeconds(DateTimeOffset time) => Microseconds(time) / MicrosecondsPerSecond;

    /// <summary>Returns the number of seconds between two times, rounded to microseconds.</summary>
    public static double Between(DateTimeOffset start, DateTimeOffset end) => (Microseconds(end) - Microseconds(start)) / MicrosecondsPerSecond;

    /// <summary>Returns the time that a number of seconds means, or the earliest or latest time if .NET cannot express it.</summary>
    /// <param name="seconds">Base time and time, added.</param>
    /// <param name="now">The time to which relative times refer.</param>
    /// <param name="outOfRange">The number of seconds since 1970 if .NET cannot express it.</param>
    public static DateTimeOffset ToTime(double seconds, DateTimeOffset now, out double? outOfRange)
    {
        outOfRange = null;
        var isRelative = seconds < FirstAbsolute;
        if (TryConvert(seconds, isRelative ? now : DateTimeOffset.UnixEpoch) is { } time) { return time; }
        var sinceEpoch = isRelative ? ToSeconds(now) + seconds : seconds;
        outOfRange = sinceEpoch;
        return sinceEpoch < 0 ? DateTimeOffset.MinValue : DateTimeOffset.MaxValue;
    }

    /// <summary>
    /// Returns a period of time, rounded to the resolution of <see cref="TimeSpan"/>, or <see langword="null"/> if it is negative or longer
    /// than 8,000 years, so that no program has to expect such periods.
    /// </summary>
    public static TimeSpan? ToPeriod(double seconds) =>
        seconds is >= 0 and <= LongestPeriod ? new TimeSpan((long)Math.Round(seconds * TimeSpan.TicksPerSecond)) : null;

    private static DateTimeOffset? TryConvert(double seconds, DateTimeOffset start)
    {
        if (!(Math.Abs(seconds) < LongestDistance)) { return null; }
        // Separately, because the product with all seconds would have a resolution of only half a microsecond.
        var whole = Math.Floor(seconds);
        var microseconds = (long)Math.Round((seconds - whole) * MicrosecondsPerSecond);
        var ticks = ((long)whole * TimeSpan.TicksPerSecond) + (microseconds * TimeSpan.TicksPerMicrosecond);
        var total = start.UtcTicks - (start.UtcTicks % TimeSpan.TicksPerMicrosecond) + ticks;
        return total >= DateTimeOffset.MinValue.Ticks && total <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(total, TimeSpan.Zero) : null;
    }

    private static long Microseconds(DateTimeOffset time)
    {
        var ticks = time.UtcTicks - DateTimeOffset.UnixEpoch.Ticks;
        return (ticks + (ticks < 0 ? -RoundingHalf : RoundingHalf)) / TimeSpan.TicksPerMicrosecond;
    }
}
