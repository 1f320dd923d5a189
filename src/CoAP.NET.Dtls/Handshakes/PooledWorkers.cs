using System.Threading.Tasks.Dataflow;
using CoAP.Accounting;

namespace CoAP.Dtls;

/// <summary>
/// Computes handshakes on the thread pool, a limited number at a time. Each handshake has at most one computation in the queue, and
/// accounts take turns, so that the many handshakes of one account do not delay those of the others.
/// </summary>
internal sealed class PooledWorkers : HandshakeWorkers
{
    private readonly Lock _gate = new();
    private readonly AccountTurns<Action> _queue = new();
    private readonly ActionBlock<bool> _block;      // one item for each computation; the turns say which one
    private readonly bool _runsOnCaller;

    /// <param name="count">The number of computations at a time.</param>
    /// <param name="runsOnCaller">Whether computations run on the caller, for simulated time.</param>
    public PooledWorkers(int count, bool runsOnCaller)
    {
        _runsOnCaller = runsOnCaller;
        _block = new ActionBlock<bool>(_ => RunNext(), new() { MaxDegreeOfParallelism = count });
    }

    public override void Start(Func<Task> code) => _ = code();

    public override void Continue(Account account, Action work) => Post(account, work);

    public override void Post(Account account, Action work)
    {
        if (_runsOnCaller)
        {
            work();
            return;
        }
        lock (_gate) { _queue.Add(account.Widest, work); }
        _block.Post(true);
    }

    public override void Dispose() => _block.Complete();

    private void RunNext()
    {
        Action? work;
        lock (_gate) { _queue.TryTake(out work); }
        work?.Invoke();
    }
}
