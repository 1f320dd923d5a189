namespace CoAP.Mesh;

/// <summary>No thread of its own: whoever brings work to an idle lane has the pool give it a turn. Timer and readiness wake it as well.</summary>
internal sealed class PooledRunner : LaneRunner, IThreadPoolWorkItem
{
    private const int Idle = 0;
    private const int Running = 1;
    private const int Again = 2;
    private const int Ended = 3;
    private const int TurnsBeforeYield = 16;

    private readonly Lane _lane;
    private readonly ITimer _timer;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _timerDue = long.MaxValue;
    private int _state = Running;
    private volatile bool _isStopping;
    private volatile bool _isArmed;

    public PooledRunner(Lane lane)
    {
        _lane = lane;
        _timer = lane.Settings.TimeProvider.CreateTimer(
            static runner => ((PooledRunner)runner!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public override void Wake()
    {
        while (true)
        {
            var state = Volatile.Read(ref _state);
            if (state is Again or Ended) { return; }
            var next = state == Idle ? Running : Again;
            if (Interlocked.CompareExchange(ref _state, next, state) != state) { continue; }
            if (state == Idle) { ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false); }
            return;
        }
    }

    public override void Start() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    public override Task StopAsync()
    {
        _isStopping = true;
        Wake();
        return _ended.Task;
    }

    void IThreadPoolWorkItem.Execute()
    {
        for (var turn = 0; ; turn++)
        {
            Volatile.Write(ref _state, Running);
            var isBusy = _lane.Turn();
            if (_isStopping)
            {
                End();
                return;
            }
            if (isBusy)
            {
                if (turn < TurnsBeforeYield) { continue; }
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);   // the pool's other work has its turn, too
                return;
            }
            SetTimer();
            if (!_isArmed)
            {
                _isArmed = true;
                _ = ArmAsync();
            }
            if (Interlocked.CompareExchange(ref _state, Idle, Running) == Running) { return; }
        }
    }

    private void SetTimer()
    {
        var ticks = _lane.UntilNextDeadline;
        var due = ticks == long.MaxValue ? long.MaxValue : _lane.Now + ticks;
        if (due == Volatile.Read(ref _timerDue)) { return; }
        Volatile.Write(ref _timerDue, due);
        _timer.Change(ticks == long.MaxValue ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(ticks), Timeout.InfiniteTimeSpan);
    }

    private void End()
    {
        Volatile.Write(ref _state, Ended);
        _timer.Dispose();
        _lane.Turn();
        _lane.End();
        _ended.SetResult();
    }

    private void OnTimer()
    {
        Volatile.Write(ref _timerDue, long.MaxValue);   // a timer may fire a little early: it is set anew then
        Wake();
    }

    // Armed only while the lane is idle: a socket with datagrams in it would be readable over and over.
    private async Task ArmAsync()
    {
        try { await _lane.WaitAsync().ConfigureAwait(false); }
        catch (ObjectDisposedException) { return; }
        _isArmed = false;
        Wake();
    }
}
