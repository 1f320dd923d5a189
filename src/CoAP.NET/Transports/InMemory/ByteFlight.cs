namespace CoAP.Transports;

/// <summary>Delays the bytes in one direction of an in-memory connection. They arrive in order. Bytes that cannot arrive are sent again, as TCP does.</summary>
/// <param name="time">The clock.</param>
/// <param name="latency">Returns the time that bytes take now; <see cref="Timeout.InfiniteTimeSpan"/> if they do not arrive.</param>
internal sealed class ByteFlight(TimeProvider time, Func<TimeSpan> latency)
{
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly Queue<(long LaunchedAt, Action Arrive)> _flying = new();
    private ITimer? _timer;
    private TimeSpan _wait = FirstWait;

    /// <summary>Sends bytes on their way. The action runs when they arrive, in a timer.</summary>
    public void Launch(Action arrive)
    {
        lock (_gate)
        {
            _flying.Enqueue((time.GetTimestamp(), arrive));
            _timer ??= time.CreateTimer(static flight => ((ByteFlight)flight!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            if (_flying.Count == 1) { SetTimer(); }
        }
    }

    private void OnTimer()
    {
        while (TryTake() is { } arrive) { arrive(); }
    }

    private Action? TryTake()
    {
        lock (_gate)
        {
            if (_flying.Count == 0) { return null; }
            if (Left() is not { } left || left > TimeSpan.Zero)
            {
                SetTimer();
                return null;
            }
            _wait = FirstWait;
            return _flying.Dequeue().Arrive;
        }
    }

    private TimeSpan? Left()
    {
        var needed = latency();
        return needed == Timeout.InfiniteTimeSpan ? null : needed - time.GetElapsedTime(_flying.Peek().LaunchedAt);
    }

    private void SetTimer()
    {
        if (Left() is { } left)
        {
            // Timers ignore fractions of a millisecond.
            _timer!.Change(left <= TimeSpan.Zero ? TimeSpan.Zero : TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
            return;
        }
        _timer!.Change(_wait, Timeout.InfiniteTimeSpan);
        _wait = _wait * 2 < LongestWait ? _wait * 2 : LongestWait;
    }
}
