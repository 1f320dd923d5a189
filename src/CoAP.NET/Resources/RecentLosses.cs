namespace CoAP.Resources;

/// <summary>The time that the thread of a lane had lost to others a moment ago.</summary>
/// <remarks>
/// Reading it takes microseconds, as long as a quick handler, so a value is used for a while. Time lost between the reading and a call is
/// also subtracted from that call, so on a loaded host a slow call may look faster by up to <see cref="MaxAge"/>.
/// </remarks>
/// <param name="settings">The clock, and the function that reads lost time.</param>
internal sealed class RecentLosses(HandlerSettings settings)
{
    /// <summary>The age at which a value is replaced.</summary>
    public static readonly TimeSpan MaxAge = TimeSpan.FromMilliseconds(1);

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
