using System.Runtime.InteropServices;
using CoAP.Exchanges;

namespace CoAP.Resources;

// A request whose body has arrived holds its turn as long as its handler takes. One whose handler reads the body while it arrives would hold the turn as
// long as its peer likes. So:
// - Requests whose bodies have arrived come first. To keep the others from waiting forever, one of those comes when none has had the turn
//   for as long as a body may have it.
// - A body that keeps others waiting has to arrive within a time. It is ended then, and with it its turn.
// - A request that has waited needs a thread again. It goes before all that wait for threads, because others wait for its turn to end. If
//   all threads are busy for the same time, it loses its turn. Otherwise a few slow requests of one account could close a path for all.

/// <summary>Lets the requests to each path run one at a time. Accounts take turns, so a peer with many requests does not delay the others.</summary>
/// <remarks>Safe for concurrent use. Only paths with a request that runs are stored. Waiting holds no thread.</remarks>
internal sealed class PathTurns
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, PathQueue?> _paths = new(StringComparer.Ordinal);     // null while nobody waits and the body has arrived

    /// <summary>Returns whether requests wait for the turn of a path.</summary>
    public bool IsAwaited(string path)
    {
        lock (_gate) { return _paths.GetValueOrDefault(path) is { IsEmpty: false }; }
    }

    /// <summary>Returns the number of requests that wait for the turn of a path.</summary>
    public int CountOf(string path)
    {
        lock (_gate) { return _paths.GetValueOrDefault(path)?.Count ?? 0; }
    }

    /// <summary>Starts the turn of a request if nobody has it. Its end must be reported by <see cref="Leave"/>.</summary>
    public bool TryEnter(string path, IncomingRequest request)
    {
        lock (_gate)
        {
            ref var queue = ref CollectionsMarshal.GetValueRefOrAddDefault(_paths, path, out var isBusy);
            if (isBusy) { return false; }
            if (request.Streamed is { IsWhole: false })
            {
                queue = NewQueue(path);
                queue.Begin(request);
            }
            return true;
        }
    }

    /// <summary>
    /// Completes when the request has its turn. Returns <see langword="null"/> if nobody had it: the end must be reported by
    /// <see cref="Leave"/>. Otherwise, the request must call <see cref="TryBegin"/>.
    /// </summary>
    public Task<PathWaiter?> EnterAsync(string path, IncomingRequest request, in Account account, CancellationToken cancellationToken)
    {
        var waiter = new PathWaiter(request, account);
        PathQueue queue;
        lock (_gate)
        {
            ref var known = ref CollectionsMarshal.GetValueRefOrAddDefault(_paths, path, out var isBusy);
            queue = known ??= NewQueue(path);
            if (!isBusy)
            {
                queue.Begin(request);
                return Task.FromResult<PathWaiter?>(null);
            }
            queue.Add(waiter);
            queue.LimitHolder();
        }
        return WaitAsync(queue, waiter, cancellationToken);
    }

    /// <summary>
    /// Called on the thread that runs a request whose turn has come. Its end must be reported by <see cref="Leave"/>. Returns
    /// <see langword="false"/> if the request has lost its turn, because it kept others waiting for too long before it had a thread.
    /// </summary>
    public bool TryBegin(string path, PathWaiter waiter)
    {
        lock (_gate)
        {
            if (waiter.HasLostTurn) { return false; }
            _paths[path]!.Granted = null;
            return true;
        }
    }

    /// <summary>Lets the next request to the path run.</summary>
    public void Leave(string path)
    {
        PathWaiter? next;
        lock (_gate) { next = Pass(path, _paths[path]); }
        next?.SetResult();
    }

    private PathQueue NewQueue(string path) => new((queue, late) => TakeBack(path, queue, late));

    private PathWaiter? Pass(string path, PathQueue? queue)
    {
        var next = queue?.Grant();
        if (next is null) { _paths.Remove(path); }
        return next;
    }

    private bool TakeBack(string path, PathQueue queue, PathWaiter late)
    {
        PathWaiter? next;
        lock (_gate)
        {
            if (queue.Granted != late) { return false; }        // it has begun, or ended
            late.HasLostTurn = true;
            next = Pass(path, queue);
        }
        next?.SetResult();
        // It ends on this thread. Its handler is not called.
        (late.Request.Unanswered as UnansweredRequest)?.TryContinue();
        return true;
    }

    private async Task<PathWaiter?> WaitAsync(PathQueue queue, PathWaiter waiter, CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(_ => GiveUp(queue, waiter, cancellationToken), null);
        await waiter.Task.ConfigureAwait(false);
        return waiter;
    }

    // What the request holds is no longer charged to anyone, so it leaves the queue at once.
    private void GiveUp(PathQueue queue, PathWaiter waiter, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!queue.Remove(waiter)) { return; }
        }
        // The caller cancels, and must not run the end of the request.
        var end = (waiter, cancellationToken);
        ThreadPool.UnsafeQueueUserWorkItem(static end => end.waiter.SetCanceled(end.cancellationToken), end, preferLocal: false);
    }
}
