using System.Net.Sockets;
using CoAP.Runtimes;

namespace CoAP.Lanes;

/// <summary>
/// Runs the turns of a lane on a dedicated thread, which blocks until there is something to do. Used for datagram lanes and, on Linux, for lanes that
/// watch the sockets of their connections.
/// </summary>
/// <remarks>
/// While the thread waits, a thread with a request can start the request itself (<see cref="TryRunHere"/>). The lock is free unless a turn is running.
/// </remarks>
internal sealed class ThreadRunner(Lane lane, string name) : LaneRunner(EndpointRuntime.Threads)
{
    private readonly Lock _turn = new();
    private long _wakesAt = long.MaxValue;

    public override void Wake() => lane.WakeUp();

    public override void Start()
    {
        try { new Thread(Run) { IsBackground = true, Name = name }.UnsafeStart(); }   // the span of the caller is not that of the lane's requests
        catch (OutOfMemoryException)
        {
            // The runtime reports every failure to create a thread this way. A starting thread needs a descriptor, and memory for its stack.
            throw new SocketException((int)SocketError.TooManyOpenSockets, $"The system cannot start the thread '{name}': no file descriptor or no memory is left.");
        }
    }

    public override bool TryRunHere(LaneWork work)
    {
        if (Lane.IsAnyOwnedByCaller || !_turn.TryEnter()) { return false; }
        bool mustWake;
        try
        {
            if (!lane.IsAtRest) { return false; }
            lane.RunAlone(work);
            mustWake = lane.NextDeadline < _wakesAt || lane.MustReceive;
        }
        finally { _turn.Exit(); }
        if (mustWake) { lane.WakeUp(); }
        return true;
    }

    private void Run()
    {
        Exception? defect = null;
        try { RunTurns(); }
        catch (Exception exception) // The edge of the thread: a defect ends this lane, and not the process.
        {
            defect = exception;
        }
        lock (_turn) { EndLane(lane, defect); }
    }

    private void RunTurns()
    {
        while (!IsStopping)
        {
            long ticks;
            lock (_turn)
            {
                var isBusy = lane.Turn();
                CountTurn(lane);
                if (isBusy || lane.HasInboxWork) { continue; }
                ticks = lane.UntilNextDeadline;
                CountWait(lane);
                _wakesAt = lane.NextDeadline;
            }
            if (ticks > 0) { lane.WaitForWork(ticks == long.MaxValue ? Timeout.InfiniteTimeSpan : TimeSpan.FromTicks(ticks)); }
        }
    }
}
