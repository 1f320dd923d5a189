using System.Runtime.InteropServices;
using CoAP.Accounting;

namespace CoAP.Resources;

/// <summary>Lets the requests to each path run one at a time. Accounts take turns, so a peer with many requests does not delay the others.</summary>
/// <remarks>Safe for concurrent use. Only paths with a request that runs are stored.</remarks>
internal sealed class PathTurns
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, AccountTurns<TaskCompletionSource>?> _waiting = new(StringComparer.Ordinal);     // null while nobody waits

    /// <summary>Completes when the request may run. Its end must be reported by <see cref="Leave"/>.</summary>
    public Task EnterAsync(string path, in Account account, CancellationToken cancellationToken)
    {
        var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            ref var waiting = ref CollectionsMarshal.GetValueRefOrAddDefault(_waiting, path, out var isBusy);
            if (!isBusy) { return Task.CompletedTask; }
            (waiting ??= new()).Add(account, turn);
        }
        return WaitAsync(turn, cancellationToken);
    }

    /// <summary>Lets the next request to the path run.</summary>
    public void Leave(string path)
    {
        lock (_gate)
        {
            var waiting = _waiting[path];
            while (waiting is not null && waiting.TryTake(out var next))
            {
                if (next.TrySetResult()) { return; }
            }
            _waiting.Remove(path);
        }
    }

    // A request that no longer waits stays in the queue until its turn, and is skipped then.
    private static async Task WaitAsync(TaskCompletionSource turn, CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(static state => ((TaskCompletionSource)state!).TrySetCanceled(), turn);
        await turn.Task.ConfigureAwait(false);
    }
}
