using System.Threading.Tasks.Dataflow;
using CoAP.Accounting;

namespace CoAP.Dtls;

/// <summary>
/// Computes handshakes outside the lanes, a limited number at a time. Each handshake has at most one computation in the queue, and accounts take turns, so that
/// the many handshakes of one account do not delay those of the others.
/// </summary>
internal sealed class HandshakeWorkers : IDisposable
{
    private readonly Lock _gate = new();
    private readonly AccountTurns<Action> _queue = new();
    private readonly ActionBlock<bool> _block;      // one item for each computation; the turns say which one
    private bool _runsOnCaller;
    private NetworkScheduler? _scheduler;

    /// <param name="count">The number of computations at a time.</param>
    /// <param name="runsOnCaller">Whether computations run on the caller, for simulated time.</param>
    public HandshakeWorkers(int count, bool runsOnCaller)
    {
        _runsOnCaller = runsOnCaller;
        _block = new ActionBlock<bool>(_ => RunNext(), new() { MaxDegreeOfParallelism = count });
    }

    /// <summary>Lets all further computations run on the caller, and what the code of the user awaits on a scheduler.</summary>
    public void RunBy(NetworkScheduler scheduler) => (_scheduler, _runsOnCaller) = (scheduler, true);

    /// <summary>Starts code that awaits code of the user. With a scheduler, it continues in the context of the scheduler. It must not throw.</summary>
    public void Start(Func<Task> code)
    {
        if (_scheduler is null)
        {
            _ = code();
            return;
        }
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_scheduler.Context);
        try
        {
            var task = code();
            if (task.IsCompleted) { return; }
            _scheduler.OnHandler(isOpen: true);
            _ = task.ContinueWith(
                _ => _scheduler.OnHandler(isOpen: false), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
    }

    /// <summary>Queues a computation after code of the user. It must not throw.</summary>
    /// <param name="account">The account of the peer.</param>
    /// <param name="work">The computation.</param>
    public void Continue(Account account, Action work)
    {
        if (_scheduler is null) { Post(account, work); }
        else { _scheduler.Queue(work); }
    }

    /// <summary>Queues a computation. It must not throw.</summary>
    /// <param name="account">The account of the peer.</param>
    /// <param name="work">The computation.</param>
    public void Post(Account account, Action work)
    {
        if (_runsOnCaller)
        {
            work();
            return;
        }
        lock (_gate) { _queue.Add(account.Widest, work); }
        _block.Post(true);
    }

    public void Dispose() => _block.Complete();

    private void RunNext()
    {
        Action? work;
        lock (_gate) { _queue.TryTake(out work); }
        work?.Invoke();
    }
}
