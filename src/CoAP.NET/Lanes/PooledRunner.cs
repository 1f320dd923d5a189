namespace CoAP.Lanes;

/// <summary>
/// Runs the turns of a lane where its runtime queues them, usually on the thread pool. New work, a timer or a readable socket wakes an idle
/// lane.
/// </summary>
/// <remarks>A thread with work for the lane can also run a turn itself (<see cref="RunHere"/>). The lock is free unless a turn is running.</remarks>
internal sealed class PooledRunner : LaneRunner, IThreadPoolWorkItem
{
    private const int Idle = 0;
    private const int Running = 1;
    private const int Again = 2;
    private const int TurnsBeforeYield = 16;

    private readonly Lane _lane;
    private readonly ITimer _timer;
    private readonly Lock _turn = new();
    private readonly bool _callersRunTurns;     // without threads, only the runtime runs turns
    private long _timerDue = long.MaxValue;
    private int _state = Running;
    private volatile bool _hasEnded;
    private volatile bool _isArmed;
    private volatile bool _hasMissedTurn;

    public PooledRunner(Lane lane)
        : base(lane.Runtime)
    {
        (_lane, _callersRunTurns) = (lane, lane.Runtime.HasThreads);
        _timer = lane.Time.CreateTimer(
            static runner => ((PooledRunner)runner!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public override void Wake()
    {
        while (true)
        {
            var state = Volatile.Read(ref _state);
            if (state == Again || _hasEnded) { return; }
            var next = state == Idle ? Running : Again;
            if (Interlocked.CompareExchange(ref _state, next, state) != state) { continue; }
            if (state == Idle) { Queue(); }
            return;
        }
    }

    public override void Start() => Queue();

    public override void WakeHere()
    {
        if (_callersRunTurns && !Lane.IsAnyOwnedByCaller && Interlocked.CompareExchange(ref _state, Running, Idle) == Idle) { Execute(); }
        else { Wake(); }
    }

    /// <summary>Runs a turn with the work on the calling thread, after waiting for a turn on another thread. Does nothing if the lane has ended.</summary>
    public void RunHere(LaneWork work)
    {
        lock (_turn) { Turn(work); }
        if (_lane.HasInboxWork || IsStopping || _hasMissedTurn) { Wake(); }
    }

    public override bool TryRunHere(LaneWork work)
    {
        if (!_callersRunTurns || Lane.IsAnyOwnedByCaller || !_turn.TryEnter()) { return false; }
        bool mustWake;
        try
        {
            if (!_lane.IsAtRest) { return false; }
            _lane.RunAlone(work);
            mustWake = _lane.MustReceive;
            SetTimer();
        }
        finally { _turn.Exit(); }
        if (mustWake || _hasMissedTurn) { Wake(); }
        return true;
    }

    public void Execute()
    {
        for (var turn = 0; ; turn++)
        {
            Volatile.Write(ref _state, Running);
            if (!TryTurn(out var isBusy)) { return; }
            if (isBusy)
            {
                if (turn < TurnsBeforeYield) { continue; }
                Queue();   // let other work of the pool run
                return;
            }
            if (!_isArmed)
            {
                _isArmed = true;
                _ = ArmAsync();
            }
            if (Interlocked.CompareExchange(ref _state, Idle, Running) == Running) { return; }
        }
    }

    private void Queue() => _lane.Runtime.Queue(this);

    // A blocking handler can keep a thread in RunHere for long. That thread wakes the lane when it is done, because a turn was missed.
    private bool TryTurn(out bool isBusy)
    {
        isBusy = false;
        _hasMissedTurn = true;
        Interlocked.MemoryBarrier();
        if (!_turn.TryEnter()) { return !_hasEnded; }
        _hasMissedTurn = false;
        try { isBusy = Turn(null); }
        finally { _turn.Exit(); }
        return !_hasEnded;
    }

    private bool Turn(LaneWork? work)
    {
        if (_hasEnded) { return false; }
        try
        {
            var isBusy = _lane.Turn(work);
            CountTurn(_lane);
            if (IsStopping) { End(defect: null); }
            else if (!isBusy || work is not null) { SetTimer(); }
            return isBusy;
        }
        catch (Exception exception) // The edge of the thread pool's thread: a defect ends this lane, and not the process.
        {
            End(exception);
            return false;
        }
    }

    private void SetTimer()
    {
        var ticks = _lane.UntilNextDeadline;
        CountWait(_lane);
        var due = ticks == long.MaxValue ? long.MaxValue : _lane.Now + ticks;
        if (due == Volatile.Read(ref _timerDue)) { return; }
        Volatile.Write(ref _timerDue, due);
        _timer.Change(ticks == long.MaxValue ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(ticks), Timeout.InfiniteTimeSpan);
    }

    private void End(Exception? defect)
    {
        _hasEnded = true;
        _timer.Dispose();
        EndLane(_lane, defect);
    }

    private void OnTimer()
    {
        Volatile.Write(ref _timerDue, long.MaxValue);   // a timer may fire slightly early and is then set again
        Wake();
    }

    // Armed only while the lane is idle: a socket that holds datagrams would complete the wait again and again.
    private async Task ArmAsync()
    {
        try { await _lane.WaitAsync().ConfigureAwait(false); }
        catch (ObjectDisposedException) { return; }
        catch (Exception) // The next turn receives and gets the same error.
        {
        }
        _isArmed = false;
        Wake();
    }
}
