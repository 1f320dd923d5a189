using System.Runtime.InteropServices;

namespace CoAP.Resources;

// A request whose body has arrived holds its turn as long as its handler takes. One whose handler reads the body while it arrives would hold the turn as
// long as its peer likes. So:
// - Requests whose bodies have arrived come first. To keep the others from waiting for ever, one of those comes after a number of them.
// - A body that keeps others waiting has to arrive within a time. It is ended then, and with it its turn.

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
            if (request.Streamed is { IsWhole: false }) { queue = new PathQueue { Holder = request }; }
            return true;
        }
    }

    /// <summary>Completes when the request may run. Its end must be reported by <see cref="Leave"/>.</summary>
    public Task EnterAsync(string path, IncomingRequest request, in Account account, CancellationToken cancellationToken)
    {
        var waiter = new PathWaiter(request, account);
        PathQueue queue;
        lock (_gate)
        {
            ref var known = ref CollectionsMarshal.GetValueRefOrAddDefault(_paths, path, out var isBusy);
            queue = known ??= new PathQueue();
            if (!isBusy)
            {
                queue.Holder = request;
                return Task.CompletedTask;
            }
            queue.Add(waiter);
            queue.LimitHolder();
        }
        return WaitAsync(queue, waiter, cancellationToken);
    }

    /// <summary>Lets the next request to the path run.</summary>
    public void Leave(string path)
    {
        lock (_gate)
        {
            var queue = _paths[path];
            queue?.Release();
            if (queue is not null && queue.TryTake(out var next))
            {
                queue.Holder = next.Request;
                if (!queue.IsEmpty) { queue.LimitHolder(); }
                next.SetResult();
                return;
            }
            _paths.Remove(path);
        }
    }

    private async Task WaitAsync(PathQueue queue, PathWaiter waiter, CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(_ => GiveUp(queue, waiter, cancellationToken), null);
        await waiter.Task.ConfigureAwait(false);
    }

    // What the request holds is no longer charged to anyone, so it leaves the queue at once.
    private void GiveUp(PathQueue queue, PathWaiter waiter, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!queue.Remove(waiter)) { return; }
        }
        waiter.SetCanceled(cancellationToken);
    }
}
