namespace CoAP.Resources;

/// <summary>What the thread of a lane had lost to others a moment ago.</summary>
/// <remarks>
/// Looking takes microseconds, as long as a quick handler, so it happens rarely. What the thread lost between the look and a call is
/// subtracted from that call, too: on a loaded host, a slow call may look quicker by up to <see cref="MaxAge"/>.
/// </remarks>
/// <param name="settings">The clock, and how to look.</param>
internal sealed class RecentLosses(HandlerSettings settings)
{
    /// <summary>The age at which a value is replaced.</summary>
    public static readonly TimeSpan MaxAge = TimeSpan.FromMilliseconds(10);

    private int _thread = -1;
    private long _readAt;
    private TimeSpan _lost;

    /// <summary>Returns a value that is at most <see cref="MaxAge"/> old.</summary>
    /// <param name="now">The timestamp.</param>
    public TimeSpan Read(long now)
    {
        var thread = Environment.CurrentManagedThreadId;
        if (thread != _thread || settings.Time.GetElapsedTime(_readAt, now) > MaxAge)
        {
            (_thread, _readAt, _lost) = (thread, now, settings.LostTime());
        }
        return _lost;
    }
}
