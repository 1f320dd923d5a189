namespace CoAP.Lanes;

/// <summary>Times of a lane: ticks of 100 ns since its start.</summary>
internal static class LaneTimes
{
    /// <summary>Returns a timestamp of the clock as a time of the lane.</summary>
    public static long TimeOf(this Lane lane, long timestamp) =>
        (long)((Int128)(timestamp - lane.Origin) * TimeSpan.TicksPerSecond / lane.Time.TimestampFrequency);

    /// <summary>Returns the time at the end of a time span that begins now.</summary>
    public static long After(this Lane lane, TimeSpan span) => lane.Now > long.MaxValue - span.Ticks ? long.MaxValue : lane.Now + span.Ticks;
}
