namespace CoAP.Mesh;

/// <summary>A thread of its own that blocks until there is something to do: the form of datagram lanes, and of "all connections on one core".</summary>
internal sealed class ThreadRunner(Lane lane, string name) : LaneRunner
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isStopping;

    public override void Wake() => lane.WakeUp();

    public override void Start() => new Thread(Run) { IsBackground = true, Name = name }.Start();

    public override Task StopAsync()
    {
        _isStopping = true;
        lane.WakeUp();
        return _ended.Task;
    }

    private void Run()
    {
        while (!_isStopping)
        {
            if (lane.Turn() || lane.HasInboxWork) { continue; }
            var ticks = lane.UntilNextDeadline;
            if (ticks > 0) { lane.WaitForWork(ticks == long.MaxValue ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(ticks)); }
        }
        lane.Turn();
        lane.End();
        _ended.SetResult();
    }
}
