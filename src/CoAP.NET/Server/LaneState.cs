namespace CoAP;

/// <summary>The state of a lane.</summary>
/// <param name="Number">The number of the lane, from 0: first those of datagrams, then those of connections.</param>
/// <param name="IsReliable">Whether the lane serves connections; otherwise it serves datagrams.</param>
/// <param name="ProbeTime">The time until the lane answered the probe; <see langword="null"/> if it did not answer in time.</param>
public sealed record LaneState(int Number, bool IsReliable, TimeSpan? ProbeTime)
{
    /// <summary>Whether the lane answered in time.</summary>
    public bool IsAlive => ProbeTime is not null;

    /// <summary>Returns the number of the lane and what it serves.</summary>
    public override string ToString() => $"lane {Number} ({(IsReliable ? "connections" : "datagrams")})";
}
