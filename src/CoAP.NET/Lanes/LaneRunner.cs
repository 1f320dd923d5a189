using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>Runs the turns of a lane, one at a time.</summary>
/// <param name="runtime">Continues those that wait for the end.</param>
internal abstract class LaneRunner(EndpointRuntime runtime)
{
    private const long Idle = -1;

    private readonly TaskCompletionSource _ended = new(runtime.Continuations);
    private volatile bool _isStopping;
    private long _busySince = Idle;

    /// <summary>Whether the next turn is the last one.</summary>
    protected bool IsStopping => _isStopping;

    /// <summary>Completes when the lane has ended. Fails if a defect ended it.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Wakes the lane because its inbox contains work. May be called from any thread.</summary>
    public abstract void Wake();

    /// <summary>Wakes the lane like <see cref="Wake"/>. The calling thread may run the turn itself, because it has nothing else to do.</summary>
    public virtual void WakeHere() => Wake();

    /// <summary>Does the work on the calling thread if the lane has nothing else to do. Returns <see langword="false"/> if it has.</summary>
    public virtual bool TryRunHere(LaneWork work) => false;

    /// <summary>Starts to run turns.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">The system has no resources left for a thread. The lane has not started.</exception>
    public abstract void Start();

    /// <summary>Runs the last turn and ends the lane. The task fails if a defect has ended the lane.</summary>
    public virtual Task StopAsync()
    {
        _isStopping = true;
        Wake();
        return _ended.Task;
    }

    /// <summary>Counts the time of a turn as busy. Called after the turn. Reads no clock: the time of the lane is that at which the turn began.</summary>
    protected void CountTurn(Lane lane)
    {
        if (_busySince != Idle) { lane.Metrics[LaneCounters.BusyTime] += lane.Now - _busySince; }
        _busySince = lane.Now;
    }

    /// <summary>Ends the busy time, because the lane waits. Called after the lane has read its clock.</summary>
    protected void CountWait(Lane lane)
    {
        CountTurn(lane);
        _busySince = Idle;
    }

    /// <summary>Runs the last turn, unless a defect made an earlier one fail, and ends the lane.</summary>
    protected void EndLane(Lane lane, Exception? defect)
    {
        try
        {
            if (defect is null) { lane.Turn(); }
            lane.End();
        }
        catch (Exception exception) // After a defect, the lane may be unable to release everything.
        {
            defect ??= exception;
        }
        if (defect is null)
        {
            runtime.Complete(() => _ended.TrySetResult());
            return;
        }
        Log.LaneFailed(lane.Logger, defect);
        // .NET may fail after the result was set: a continuation needs a thread, and a thread needs a descriptor.
        runtime.Complete(() => _ended.TrySetException(defect));
    }
}
