using System.Threading.Tasks.Sources;

namespace CoAP.Transports;

/// <summary>Tells the single owner of a transport that there is work, whether the owner runs, sleeps or awaits. No signal is lost.</summary>
/// <remarks>
/// The owner changes the state from Running to Sleeping or Awaiting, and from any state to Running. Any thread may change it to Signaled.
/// A signaling thread stores its work before it signals, and the owner looks for work after it has changed to Running. Both changes are full
/// fences, so at least one side sees the other. Only the signal that finds Sleeping or Awaiting pays for the wake-up.
/// </remarks>
/// <param name="wakeSleeper">Wakes an owner that sleeps.</param>
internal sealed class WakeSignal(Action wakeSleeper) : IValueTaskSource
{
    private const int Running = 0, Signaled = 1, Sleeping = 2, Awaiting = 3;

    private ManualResetValueTaskSourceCore<bool> _core;
    private int _state;

    /// <summary>Wakes the owner, or makes its next attempt to sleep fail.</summary>
    /// <param name="inline">Whether an awaiting owner may continue within this call.</param>
    public void Set(bool inline = false)
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _state) == Signaled) { return; }
        switch (Interlocked.Exchange(ref _state, Signaled))
        {
            case Sleeping:
                wakeSleeper();
                break;
            case Awaiting:
                _core.RunContinuationsAsynchronously = !inline;
                _core.SetResult(true);
                break;
        }
    }

    /// <summary>Marks the owner as asleep. Returns <see langword="false"/> if a signal came since it last ran: it must look for work first.</summary>
    public bool TrySleep() => TryLeave(Sleeping);

    /// <summary>Marks the owner as running again.</summary>
    public void Awake() => Interlocked.Exchange(ref _state, Running);

    /// <summary>Completes at the next signal, or at once if one came since the owner last ran.</summary>
    public ValueTask WaitAsync() => TryLeave(Awaiting) ? new ValueTask(this, _core.Version) : default;

    void IValueTaskSource.GetResult(short token)
    {
        _core.GetResult(token);
        _core.Reset();
        Awake();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private bool TryLeave(int state)
    {
        if (Interlocked.CompareExchange(ref _state, state, Running) == Running) { return true; }
        Awake();
        return false;
    }
}
