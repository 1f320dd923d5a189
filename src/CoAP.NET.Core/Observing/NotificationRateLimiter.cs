namespace CoAP.Observing;

/// <summary>Limits the notifications that are outstanding at one client (RFC 7641, section 4.5.1).</summary>
/// <remarks>
/// A confirmable notification is outstanding until it is acknowledged or given up, a non-confirmable one for a round-trip time, or for three
/// seconds if that is unknown. At most NSTART may be outstanding.
/// </remarks>
/// <param name="nStart">NSTART (RFC 7252, section 4.7).</param>
internal sealed class NotificationRateLimiter(int nStart)
{
    private static readonly long Unestimated = TimeSpan.FromSeconds(3).Ticks;
    private static readonly long Shortest = TimeSpan.FromMilliseconds(1).Ticks;

    private int _confirmable;
    private int _nonConfirmable;    // those sent until _quietUntil
    private long _quietUntil;

    /// <summary>The smoothed round-trip time in ticks, or 0 if it is unknown.</summary>
    public long RoundTrip { get; private set; }

    /// <summary>Whether the client has acknowledged a notification. Until then, notifications are confirmable.</summary>
    public bool HasAcknowledged { get; private set; }

    /// <summary>Returns whether another notification may be sent.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isConfirmable">Whether it is confirmable.</param>
    /// <param name="readyAt">If it may not be sent, the time at which it may; <see cref="long.MaxValue"/> if an acknowledgement has to arrive first.</param>
    public bool IsOpen(long now, bool isConfirmable, out long readyAt)
    {
        var isQuiet = now < _quietUntil;
        readyAt = isQuiet && (_confirmable < nStart) ? _quietUntil : long.MaxValue;
        if (isQuiet && !isConfirmable) { return false; }
        return _confirmable + (isQuiet ? _nonConfirmable : 0) < nStart;
    }

    /// <summary>Called when a confirmable notification was sent.</summary>
    public void Begin() => _confirmable++;

    /// <summary>Called when a confirmable notification is acknowledged or given up.</summary>
    public void End() => _confirmable--;

    /// <summary>Called when a non-confirmable notification was sent.</summary>
    public void Sent(long now)
    {
        _nonConfirmable = now < _quietUntil ? _nonConfirmable + 1 : 1;
        _quietUntil = now + (RoundTrip == 0 ? Unestimated : RoundTrip);
    }

    /// <summary>Called when the client has acknowledged a notification.</summary>
    /// <param name="roundTrip">The round-trip time, if it is known.</param>
    public void Acknowledged(long? roundTrip)
    {
        HasAcknowledged = true;
        if (roundTrip is not { } sample) { return; }
        sample = Math.Max(sample, Shortest);
        RoundTrip = RoundTrip == 0 ? sample : ((7 * RoundTrip) + sample) / 8;
    }
}
