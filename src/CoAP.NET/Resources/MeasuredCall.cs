namespace CoAP.Resources;

/// <summary>
/// Measures a call of a handler: its work and its waits, without the time that the thread lost to others.
/// </summary>
internal readonly struct MeasuredCall
{
    [ThreadStatic]
    private static HandlerSettings? _settingsOfThread;

    private readonly HandlerSettings _settings;
    // The time that the thread had lost before the call; null if it was not read, because reading takes microseconds.
    private readonly TimeSpan? _lost;
    private readonly long _started;

    /// <summary>
    /// The settings for calls of the calling thread, if it is a handler thread and its request counts; otherwise <see langword="null"/>.
    /// </summary>
    public static HandlerSettings? SettingsOfThread { get => _settingsOfThread; set => _settingsOfThread = value; }

    /// <summary>Begins the measurement of a call on a handler thread.</summary>
    /// <param name="settings">The clock, and the function that reads lost time.</param>
    /// <param name="isExact">Whether lost time is subtracted.</param>
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
        _lost = losses.Read(settings.Time.GetTimestamp());
        _started = settings.Time.GetTimestamp();
    }

    /// <summary>Returns the duration so far. Lost time is subtracted only if the duration exceeds the limit.</summary>
    public TimeSpan Took(TimeSpan limit)
    {
        var took = _settings.Time.GetElapsedTime(_started);
        return took > limit && _lost is { } before ? took - (_settings.LostTime() - before) : took;
    }
}
