namespace CoAP.Observing;

/// <summary>How many notifications may be on their way to one client (RFC 7641, section 4.5.1).</summary>
/// <remarks>
/// Outstanding are confirmable notifications until they are acknowledged or given up, and a non-confirmable one for a round-trip time, or for
/// three seconds where none is known. Of all that at most NSTART.
/// </remarks>
/// <param name="nStart">RFC 7252, section 4.7.</param>
internal sealed class NotificationWindow(int nStart)
{
    private static readonly long Unestimated = TimeSpan.FromSeconds(3).Ticks;
    private static readonly long Shortest = TimeSpan.FromMilliseconds(1).Ticks;

    private int _confirmable;
    private long _quietUntil;

    /// <summary>The smoothed round-trip time in ticks; 0 where none is known.</summary>
    public long RoundTrip { get; private set; }

    /// <summary>Whether the client has acknowledged anything: until then its address may be somebody else's.</summary>
    public bool IsProven { get; private set; }

    /// <summary>Whether one more may be sent.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isConfirmable">What it is to be.</param>
    /// <param name="readyAt">Where none may: the time at which one may; <see cref="long.MaxValue"/> if an acknowledgement has to come first.</param>
    public bool IsOpen(long now, bool isConfirmable, out long readyAt)
    {
        var isQuiet = now < _quietUntil;
        readyAt = isQuiet && (_confirmable < nStart) ? _quietUntil : long.MaxValue;
        if (isQuiet && !isConfirmable) { return false; }
        return _confirmable + (isQuiet ? 1 : 0) < nStart;
    }

    /// <summary>A confirmable notification has left.</summary>
    public void Begin() => _confirmable++;

    /// <summary>A confirmable notification is not waited for any more.</summary>
    public void End() => _confirmable--;

    /// <summary>A non-confirmable notification has left.</summary>
    public void Sent(long now) => _quietUntil = now + (RoundTrip == 0 ? Unestimated : RoundTrip);

    /// <summary>The client acknowledged a notification.</summary>
    /// <param name="roundTrip">How long that took, where it is known.</param>
    public void Acknowledged(long? roundTrip)
    {
        IsProven = true;
        if (roundTrip is not { } sample) { return; }
        sample = Math.Max(sample, Shortest);
        RoundTrip = RoundTrip == 0 ? sample : ((7 * RoundTrip) + sample) / 8;
    }
}
