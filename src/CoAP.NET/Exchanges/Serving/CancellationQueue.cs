using System.Collections.Concurrent;
using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Cancels tokens with many callbacks on the thread pool, one piece of work for each.</summary>
/// <remarks>
/// The token of a connection may have a thousand handlers, and many connections may end at once. So only one piece at a time waits for a
/// thread: other work of the pool comes between two of them. It adds the next piece before it begins, because callbacks may block.
/// </remarks>
/// <param name="log">Gets the exceptions of callbacks.</param>
/// <param name="run">Adds a piece of work to the pool.</param>
internal sealed class CancellationQueue(EndpointLog log, Action<Action> run)
{
    private readonly ConcurrentQueue<CancellationTokenSource> _sources = new();
    private int _count;

    /// <param name="log">Gets the exceptions of callbacks.</param>
    /// <param name="runtime">Runs the pieces.</param>
    public CancellationQueue(EndpointLog log, EndpointRuntime runtime) : this(log, runtime.Queue) { }

    /// <summary>Cancels a source soon. Safe for concurrent use.</summary>
    public void Cancel(CancellationTokenSource source)
    {
        _sources.Enqueue(source);
        if (Interlocked.Increment(ref _count) == 1) { run(CancelNext); }
    }

    private void CancelNext()
    {
        if (!_sources.TryDequeue(out var source)) { return; }
        if (Interlocked.Decrement(ref _count) > 0) { run(CancelNext); }
        source.CancelLogged(log);
    }
}
