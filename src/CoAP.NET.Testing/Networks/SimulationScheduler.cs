namespace CoAP.Testing;

/// <summary>Runs the work of all endpoints on the thread that runs the network, and moves the clock when nothing is left to do.</summary>
/// <remarks>
/// Work of endpoints runs without a context, and user code runs in <see cref="Context"/>, so both continue as work of this scheduler. User code that waits neither
/// for a timer nor for an endpoint may wait for another thread. The clock does not move before such code has had <see cref="Patience"/>.
/// </remarks>
internal sealed class SimulationScheduler : NetworkScheduler
{
    private readonly object _gate = new();
    private readonly Lock _turn = new();
    private readonly Queue<(Action Work, SynchronizationContext? Context)> _queue = new();
    private readonly ManualClock _clock;
    private readonly Random _random;
    private int _runningThread;
    private long _open;         // exchanges
    private int _handlers;      // user code that did not end at once
    private int _waits;         // user code that waits for an endpoint
    private long _userTurns;
    private long _awaitedTurns = -1;
    private TimeSpan _busyUntil;

    public SimulationScheduler(ManualClock clock, int seed)
    {
        (_clock, _random) = (clock, new Random(seed));
        Context = new SimulationContext(this);
    }

    public override SynchronizationContext Context { get; }

    public override bool IsRunning => _runningThread == Environment.CurrentManagedThreadId;

    /// <summary>Called before a run. Default: nothing.</summary>
    public Action BeforeRun { get; set; } = static () => { };

    /// <summary>The real time that user code gets on other threads before the clock moves.</summary>
    public TimeSpan Patience { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The real time after which a wait with nothing left to do fails.</summary>
    public TimeSpan RealTimeLimit { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The simulated time after which a wait fails.</summary>
    public TimeSpan SimulatedTimeLimit { get; set; } = TimeSpan.FromDays(1);

    /// <summary>Whether something is on its way: an open exchange, a datagram, or user code that has not ended.</summary>
    private bool IsBusy => Volatile.Read(ref _open) > 0 || _clock.Elapsed < _busyUntil || MayHaveEscaped;

    // User code that waits for no timer and no endpoint.
    private bool MayHaveEscaped
    {
        get
        {
            lock (_gate)
            {
                return _handlers > 0 && _userTurns != _awaitedTurns && _handlers > _waits + _clock.TimersOf(Context);
            }
        }
    }

    public override void Queue(Action work) => Queue(work, null);

    public override void Fill(Span<byte> bytes)
    {
        lock (_random) { _random.NextBytes(bytes); }
    }

    public override void OnExchanges(long change) => Interlocked.Add(ref _open, change);

    public override void OnHandler(bool isOpen)
    {
        lock (_gate)
        {
            _handlers += isOpen ? 1 : -1;
            _userTurns++;
        }
    }

    public override void OnWait(bool isOpen) => Interlocked.Add(ref _waits, isOpen ? 1 : -1);

    /// <summary>Records that a datagram or bytes are on their way until a time.</summary>
    public void BusyUntil(TimeSpan time) => _busyUntil = time > _busyUntil ? time : _busyUntil;

    public void Queue(Action work, SynchronizationContext? context)
    {
        lock (_gate)
        {
            _queue.Enqueue((work, context));
            if (context is not null) { _userTurns++; }
            Monitor.PulseAll(_gate);
        }
    }

    public override void RunUntil(Func<bool> isDone, CancellationToken cancellationToken = default)
    {
        if (!IsRunning) { BeforeRun(); }
        using var registration = cancellationToken.UnsafeRegister(static scheduler => ((SimulationScheduler)scheduler!).Pulse(), this);
        var limit = _clock.Elapsed + SimulatedTimeLimit;
        while (!isDone())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (TryRunNext(limit) || isDone()) { continue; }
            if (_clock.UntilNextTimer is { } next)
            {
                // Another thread may have set the timer since the last look.
                if (_clock.Elapsed + next <= limit) { continue; }
                throw new TimeoutException($"After {SimulatedTimeLimit} of simulated time, the wait has not ended. {Describe()}");
            }
            if (!AwaitWork(RealTimeLimit, isDone)) { throw new TimeoutException($"Nothing is left to do on the network, and the wait has not ended. {Describe()}"); }
        }
    }

    /// <summary>Runs until a time of the clock.</summary>
    public void RunTo(TimeSpan time)
    {
        while (TryRunNext(time)) { }
        if (_clock.Elapsed < time) { _clock.Advance(time - _clock.Elapsed); }
    }

    /// <summary>Runs until nothing is on its way.</summary>
    public void RunUntilIdle()
    {
        var limit = _clock.Elapsed + SimulatedTimeLimit;
        while (TryRunQueued() || (IsBusy && TryRunNext(limit))) { }
        if (_clock.Elapsed >= limit && IsBusy) { throw new TimeoutException($"After {SimulatedTimeLimit} of simulated time, the network is not idle. {Describe()}"); }
    }

    private void Pulse()
    {
        lock (_gate) { Monitor.PulseAll(_gate); }
    }

    private string Describe() =>
        $"Open exchanges: {Volatile.Read(ref _open)}. Handlers that have not ended: {_handlers}. Timers: {_clock.TimerCount}. Simulated time: {_clock.Elapsed}.";

    // Queued work comes first, then work that other threads may still bring, then time.
    private bool TryRunNext(TimeSpan limit)
    {
        if (TryRunQueued()) { return true; }
        if (MayHaveEscaped && AwaitWork(Patience, static () => false)) { return true; }
        lock (_gate) { _awaitedTurns = _userTurns; }
        return RunAs(() => _clock.TryFireNext(limit));
    }

    private bool TryRunQueued()
    {
        (Action Work, SynchronizationContext? Context) next;
        lock (_gate)
        {
            if (!_queue.TryDequeue(out next)) { return false; }
        }
        return RunAs(() =>
        {
            SynchronizationContext.SetSynchronizationContext(next.Context);
            next.Work();
            return true;
        });
    }

    private bool RunAs(Func<bool> work)
    {
        lock (_turn)
        {
            var (outer, thread) = (SynchronizationContext.Current, _runningThread);
            _runningThread = Environment.CurrentManagedThreadId;
            SynchronizationContext.SetSynchronizationContext(null);
            try { return work(); }
            finally
            {
                _runningThread = thread;
                SynchronizationContext.SetSynchronizationContext(outer);
            }
        }
    }

    private bool AwaitWork(TimeSpan patience, Func<bool> isDone)
    {
        var started = TimeProvider.System.GetTimestamp();
        lock (_gate)
        {
            while (_queue.Count == 0 && !isDone())
            {
                var left = patience - TimeProvider.System.GetElapsedTime(started);
                if (left <= TimeSpan.Zero) { return false; }
                // Nobody tells when the condition holds, so it is also checked now and then.
                Monitor.Wait(_gate, left < Patience ? left : TimeSpan.FromMilliseconds(Math.Max(1, Patience.TotalMilliseconds)));
            }
            return true;
        }
    }

    private sealed class SimulationContext(SimulationScheduler scheduler) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => scheduler.Queue(() => d(state), this);

        public override void Send(SendOrPostCallback d, object? state)
        {
            if (scheduler.IsRunning)
            {
                d(state);
                return;
            }
            var isDone = false;
            scheduler.Queue(() =>
            {
                d(state);
                Volatile.Write(ref isDone, true);
            }, this);
            scheduler.RunUntil(() => Volatile.Read(ref isDone));
        }

        public override SynchronizationContext CreateCopy() => this;
    }
}
