using System.Threading.Tasks.Sources;

namespace CoAP.Transports;

/// <summary>Tells the one owner of a transport that there is work, whether it runs, sleeps in the system or awaits; no call is lost.</summary>
/// <remarks>
/// The word of state goes only Running → Sleeping or Awaiting (by the owner), anything → Signaled (by anybody), anything → Running (by the
/// owner). Whoever signals has stored its work before, and the owner looks for work after it went to Running; both steps are full fences, so
/// one of the two sees the other. Only the one signal that meets Sleeping or Awaiting pays for waking.
/// </remarks>
internal sealed class WakeSignal(Action wakeSleeper) : IValueTaskSource
{
    private const int Running = 0, Signaled = 1, Sleeping = 2, Awaiting = 3;

    private ManualResetValueTaskSourceCore<bool> _core;
    private int _state;

    /// <param name="inline">Whether an awaiting owner may go on within this call.</param>
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

    /// <summary>Before the owner sleeps: false if it was signaled since it last ran and must look for work first.</summary>
    public bool TrySleep() => TryLeave(Sleeping);

    /// <summary>After the owner slept.</summary>
    public void Awake() => Interlocked.Exchange(ref _state, Running);

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
