namespace CoAP.Testing;

/// <summary>A clock that stands still until <see cref="Advance"/> moves it. It fires its timers there, on the caller's thread.</summary>
/// <remarks>
/// Timers fire one after another in the order of their due times; timers that are due at the same time fire in the order in which they were set. Each
/// sees the time at which it was due. A timer that is due in zero fires in the next <see cref="Advance"/>, even by zero. Safe for concurrent use.
/// </remarks>
/// <param name="start">The wall-clock time at the beginning. Default: 6 January 2024, 00:00 UTC, so that each run sees the same dates.</param>
public sealed class ManualClock(DateTimeOffset? start = null) : TimeProvider
{
    // A multiple of 1,024 s since 1970. There, the numbers of notifications begin at 0 (they repeat after 2^24, and grow by 2^14 in a second).
    private static readonly DateTimeOffset DefaultStart = new(2024, 1, 6, 0, 0, 0, TimeSpan.Zero);

    private readonly DateTimeOffset _start = start ?? DefaultStart;
    private readonly Lock _gate = new();
    private readonly SortedSet<ManualTimer> _due = new(Comparer<ManualTimer>.Create(ManualTimer.Compare));
    private readonly Dictionary<SynchronizationContext, int> _ofContexts = [];     // the number of set timers
    private readonly List<(int Count, TaskCompletionSource Reached)> _awaited = [];
    private long _now;
    private long _lastOrder;

    /// <summary>10,000,000: a timestamp is a number of <see cref="TimeSpan.Ticks"/>.</summary>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>UTC on all machines.</summary>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>The time since the beginning.</summary>
    public TimeSpan Elapsed => TimeSpan.FromTicks(GetTimestamp());

    /// <summary>The number of timers that are set.</summary>
    public int TimerCount
    {
        get
        {
            lock (_gate) { return _due.Count; }
        }
    }

    /// <summary>The time until the next timer is due; <see langword="null"/> if none is set.</summary>
    public TimeSpan? UntilNextTimer
    {
        get
        {
            lock (_gate) { return _due.Min is { } next ? TimeSpan.FromTicks(Math.Max(next.DueAt - _now, 0)) : null; }
        }
    }

    /// <summary>Waits, in real time, until other threads have set timers.</summary>
    /// <param name="count">The <see cref="TimerCount"/> at which the task completes.</param>
    public Task WhenTimersAsync(int count)
    {
        lock (_gate)
        {
            if (_due.Count >= count) { return Task.CompletedTask; }
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _awaited.Add((count, reached));
            return reached.Task;
        }
    }

    /// <summary>The elapsed time in ticks of 100 ns; starts at 0.</summary>
    public override long GetTimestamp() => Interlocked.Read(ref _now);

    /// <summary>The wall-clock time at the beginning and the elapsed time.</summary>
    public override DateTimeOffset GetUtcNow() => _start + Elapsed;

    /// <summary>Moves the clock and fires the timers that become due before it returns. A callback may also advance the clock.</summary>
    /// <param name="time">How far the clock moves.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public void Advance(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        var target = GetTimestamp() + time.Ticks;
        while (TakeDue(target) is { } timer) { timer.Fire(); }
    }

    /// <summary>The number of set timers of code in a context, such as those of delays in a handler.</summary>
    internal int TimersOf(SynchronizationContext context)
    {
        lock (_gate) { return _ofContexts.GetValueOrDefault(context); }
    }

    /// <summary>Moves the clock to the next timer and fires it. Returns <see langword="false"/> if there is none until a time.</summary>
    internal bool TryFireNext(TimeSpan limit)
    {
        lock (_gate)
        {
            if (_due.Min is not { } next || next.DueAt > limit.Ticks) { return false; }
        }
        if (TakeDue(limit.Ticks) is not { } timer) { return false; }
        timer.Fire();
        return true;
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private ManualTimer? TakeDue(long target)
    {
        lock (_gate)
        {
            var next = _due.Min;
            if (next is null || next.DueAt > target)
            {
                _now = Math.Max(_now, target);
                return null;
            }
            _now = Math.Max(_now, next.DueAt);
            Unset(next);
            if (next.Period > 0) { Set(next, next.DueAt + next.Period); }
            return next;
        }
    }

    // Called with the gate held. A timer's place in the set must not change while it is in it.
    private void Set(ManualTimer timer, long dueAt)
    {
        timer.DueAt = dueAt;
        timer.Order = ++_lastOrder;
        _due.Add(timer);
        Count(timer, 1);
        if (_awaited.Count > 0) { CompleteAwaited(); }
    }

    // Called with the gate held.
    private void CompleteAwaited()
    {
        foreach (var one in _awaited.Where(one => one.Count <= _due.Count)) { one.Reached.TrySetResult(); }
        _awaited.RemoveAll(one => one.Count <= _due.Count);
    }

    // Called with the gate held.
    private void Unset(ManualTimer timer)
    {
        if (_due.Remove(timer)) { Count(timer, -1); }
    }

    // Counted, because thousands of timers may be set when a scheduler asks.
    private void Count(ManualTimer timer, int change)
    {
        if (timer.Context is { } context) { _ofContexts[context] = _ofContexts.GetValueOrDefault(context) + change; }
    }

    private static long ToTicks(TimeSpan time, string name)
    {
        var milliseconds = (long)time.TotalMilliseconds;
        ArgumentOutOfRangeException.ThrowIfLessThan(milliseconds, -1, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(milliseconds, uint.MaxValue - 1, name);
        return time < TimeSpan.Zero ? -1 : time.Ticks;
    }

    private sealed class ManualTimer(ManualClock time, TimerCallback callback, object? state) : ITimer
    {
        private readonly ExecutionContext? _context = ExecutionContext.Capture();
        private bool _isDisposed;

        /// <summary>The context of the code that created the timer.</summary>
        public SynchronizationContext? Context { get; } = SynchronizationContext.Current;

        public long DueAt { get; set; }

        public long Order { get; set; }

        /// <summary>In ticks; 0 or less for a timer that fires once.</summary>
        public long Period { get; private set; }

        public static int Compare(ManualTimer left, ManualTimer right) =>
            left.DueAt == right.DueAt ? left.Order.CompareTo(right.Order) : left.DueAt.CompareTo(right.DueAt);

        public void Fire()
        {
            if (_context is null) { callback(state); }
            else { ExecutionContext.Run(_context, timer => ((ManualTimer)timer!).Call(), this); }
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            long due = ToTicks(dueTime, nameof(dueTime)), every = ToTicks(period, nameof(period));
            lock (time._gate)
            {
                if (_isDisposed) { return false; }
                time.Unset(this);
                Period = every;
                if (due >= 0) { time.Set(this, time._now + due); }
                return true;
            }
        }

        public void Dispose()
        {
            lock (time._gate)
            {
                _isDisposed = true;
                time.Unset(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void Call() => callback(state);
    }
}
