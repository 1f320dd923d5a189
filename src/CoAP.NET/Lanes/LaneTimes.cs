namespace CoAP.Lanes;

/// <summary>Times of a lane: ticks of 100 ns since its start.</summary>
internal static class LaneTimes
{
    /// <summary>Returns a timestamp of the clock as a time of the lane.</summary>
    public static long TimeOf(this Lane lane, long timestamp) =>
        (long)((Int128)(timestamp - lane.Origin) * TimeSpan.TicksPerSecond / lane.Time.TimestampFrequency);

    /// <summary>Returns the time in milliseconds, accurate to a few milliseconds. With the system clock, this takes a tenth of the time of an exact reading.</summary>
    public static long CoarseMilliseconds(this Lane lane) =>
        lane.Time == TimeProvider.System ? Environment.TickCount64 : lane.Time.GetTimestamp() / (lane.Time.TimestampFrequency / 1000);

    /// <summary>Returns the time at the end of a time span that begins now.</summary>
    public static long After(this Lane lane, TimeSpan span) => Later(lane.Now, span.Ticks);

    /// <summary>Returns the time that is later by a duration, or the end of all time if there is no such time.</summary>
    public static long Later(long time, long duration) => duration > long.MaxValue - time ? long.MaxValue : time + duration;

    /// <summary>Returns the time until which a body may continue without more bytes. Bytes extend the time, but the body never gets ahead of its rate.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="slowUntil">The time so far.</param>
    /// <param name="bytes">The number of bytes received.</param>
    /// <param name="rate">The minimum rate, in bytes per second.</param>
    /// <param name="window">How far the body may fall behind the rate.</param>
    public static long SlowUntil(this Lane lane, long slowUntil, long bytes, int rate, TimeSpan window) =>
        Math.Min(lane.After(window), Later(slowUntil, (long)((double)bytes / rate * TimeSpan.TicksPerSecond)));
}
