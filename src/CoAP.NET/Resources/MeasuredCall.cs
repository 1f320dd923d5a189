using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>
/// A call of a handler whose time is measured: the time of its thread and its waits, but not what the thread lost to others.
/// </summary>
internal readonly struct MeasuredCall
{
    private readonly HandlerSettings _settings;
    // What the thread had lost before; null if nobody has looked, because looking takes microseconds.
    private readonly TimeSpan? _lost;
    private readonly int _waits = LaneOwnership.WaitsOfCaller;
    private readonly long _started;

    /// <summary>Begins the measurement of a call on a handler thread.</summary>
    /// <param name="settings">The clock, and how to look at what the thread has lost.</param>
    /// <param name="isExact">Whether what the thread lost is subtracted.</param>
    public MeasuredCall(HandlerSettings settings, bool isExact)
    {
        _settings = settings;
        _lost = isExact ? settings.LostTime() : null;
        _started = settings.Time.GetTimestamp();
    }

    /// <summary>Begins the measurement of a call on a lane.</summary>
    public MeasuredCall(HandlerSettings settings, RecentLosses losses)
    {
        _settings = settings;
        _started = settings.Time.GetTimestamp();
        _lost = losses.Read(_started);
    }

    /// <summary>Whether the handler has called a method that blocks until a lane has done something.</summary>
    public bool HasWaitedForLane => LaneOwnership.WaitsOfCaller != _waits;

    /// <summary>Returns the time since the beginning. What the thread lost to others is subtracted only from more than a limit.</summary>
    public TimeSpan Took(TimeSpan limit)
    {
        var took = _settings.Time.GetElapsedTime(_started);
        return took > limit && _lost is { } before ? took - (_settings.LostTime() - before) : took;
    }
}
