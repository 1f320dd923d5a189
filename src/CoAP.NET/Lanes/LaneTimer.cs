using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP;

/// <summary>A timer of a lane. Use it on its lane only.</summary>
public sealed class LaneTimer : ILaneDeadline
{
    private readonly Lane _lane;
    private readonly Action _action;
    private long _deadline = long.MaxValue;
    private int _queueIndex;

    internal LaneTimer(Lane lane, Action action) => (_lane, _action) = (lane, action);

    /// <summary>Whether the timer is running.</summary>
    public bool IsRunning => _deadline != long.MaxValue;

    long IDeadline.Deadline => _deadline;

    int IDeadline.QueueIndex { get => _queueIndex; set => _queueIndex = value; }

    /// <summary>Starts the timer, or restarts it if it is running.</summary>
    /// <param name="dueTime">The time until the action runs. It runs once.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="dueTime"/> is negative.</exception>
    public void Start(TimeSpan dueTime)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(dueTime, TimeSpan.Zero);
        _deadline = _lane.After(dueTime);
        _lane.Schedule(this);
    }

    /// <summary>Stops the timer. Does nothing if it is not running.</summary>
    public void Stop()
    {
        _deadline = long.MaxValue;
        _lane.Unschedule(this);
    }

    void ILaneDeadline.OnDeadline()
    {
        _deadline = long.MaxValue;
        _action();
    }
}
