namespace CoAP.Formats;

/// <summary>Converts times between SenML and .NET (RFC 8428, section 4.5.3).</summary>
/// <remarks>A double has a resolution of 0.24 µs for today's times, so that rounding to microseconds restores exactly what a sender meant.</remarks>
internal static class SenmlTime
{
    /// <summary>The smallest number of seconds that is an absolute time. Smaller ones are relative to now.</summary>
    public const double FirstAbsolute = 1 << 28;

    /// <summary>The last second that a <see cref="DateTimeOffset"/> can express, and in effect the greatest number of seconds in a pack.</summary>
    public const double Last = 253_402_300_799;

    /// <summary>The smallest number of seconds: as far before 1970 as a <see cref="DateTimeOffset"/> can express.</summary>
    public const double First = -62_135_596_800;

    private const double MicrosecondsPerSecond = 1_000_000;
    private const long RoundingHalf = TimeSpan.TicksPerMicrosecond / 2;

    /// <summary>Returns the number of seconds since 1970, rounded to microseconds.</summary>
    public static double ToSeconds(DateTimeOffset time) => Microseconds(time) / MicrosecondsPerSecond;

    /// <summary>Returns the number of seconds between two times, rounded to microseconds.</summary>
    public static double Between(DateTimeOffset start, DateTimeOffset end) => (Microseconds(end) - Microseconds(start)) / MicrosecondsPerSecond;

    /// <summary>Returns the time that a number of seconds means, or <see langword="null"/> if .NET cannot express it.</summary>
    /// <param name="seconds">Base time and time, added.</param>
    /// <param name="now">The time to which relative times refer.</param>
    public static DateTimeOffset? ToTime(double seconds, DateTimeOffset now)
    {
        if (!(seconds is >= First and <= Last)) { return null; }
        // Separately, because the product with all seconds would have a resolution of only half a microsecond.
        var whole = Math.Floor(seconds);
        var microseconds = (long)Math.Round((seconds - whole) * MicrosecondsPerSecond);
        var ticks = ((long)whole * TimeSpan.TicksPerSecond) + (microseconds * TimeSpan.TicksPerMicrosecond);
        var start = seconds < FirstAbsolute ? now.UtcTicks - (now.UtcTicks % TimeSpan.TicksPerMicrosecond) : DateTimeOffset.UnixEpoch.Ticks;
        var total = start + ticks;
        return total >= DateTimeOffset.MinValue.Ticks && total <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(total, TimeSpan.Zero) : null;
    }

    /// <summary>Returns a period of time, rounded to the resolution of <see cref="TimeSpan"/>.</summary>
    public static TimeSpan ToPeriod(double seconds) => new((long)Math.Round(seconds * TimeSpan.TicksPerSecond));

    private static long Microseconds(DateTimeOffset time)
    {
        var ticks = time.UtcTicks - DateTimeOffset.UnixEpoch.Ticks;
        return (ticks + (ticks < 0 ? -RoundingHalf : RoundingHalf)) / TimeSpan.TicksPerMicrosecond;
    }
}
