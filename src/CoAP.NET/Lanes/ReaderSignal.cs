using CoAP.Runtimes;

namespace CoAP.Lanes;

/// <summary>Wakes one waiter, which waits with or without a thread. A signal that comes before the wait is kept; further ones have no effect.</summary>
/// <param name="runtime">Continues the waiter.</param>
#pragma warning disable CA1001 // A semaphore holds no system resource unless its wait handle is used, and it is not used here.
internal sealed class ReaderSignal(EndpointRuntime runtime)
{
#pragma warning restore CA1001
    private readonly SemaphoreSlim _signals = new(0, 1);
    private TaskCompletionSource? _waiter;      // if there are no threads

    /// <summary>Wakes the waiter. Safe for concurrent use.</summary>
    public void Set()
    {
        lock (_signals)
        {
            if (_waiter is { } waiter)
            {
                _waiter = null;
                runtime.Complete(static waiter => ((TaskCompletionSource)waiter!).TrySetResult(), waiter);
            }
            else if (_signals.CurrentCount == 0) { _signals.Release(); }
        }
    }

    /// <summary>Waits for a signal.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public Task WaitAsync(CancellationToken cancellationToken) =>
        runtime.HasThreads ? _signals.WaitAsync(cancellationToken) : WaitForRuntimeAsync(cancellationToken);

    /// <summary>Waits for a signal. Blocks the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public void Wait(CancellationToken cancellationToken)
    {
        SynchronousCalls.CountWait();
        runtime.HelpUntil(static signals => ((SemaphoreSlim)signals!).CurrentCount > 0, _signals, cancellationToken);
        _signals.Wait(cancellationToken);
    }

    // The semaphore would continue the waiter on the thread pool.
    private async Task WaitForRuntimeAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource waiter;
        lock (_signals)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (_signals.Wait(0, CancellationToken.None)) { return; }
            _waiter = waiter = new(runtime.Continuations);
        }
        using var registration = cancellationToken.UnsafeRegister((_, token) => Cancel(waiter, token), null);
        var isWait = runtime.BeginWait();
        try { await waiter.Task.ConfigureAwait(false); }
        finally
        {
            if (isWait) { runtime.EndWait(); }
        }
    }

    private void Cancel(TaskCompletionSource waiter, CancellationToken cancellationToken)
    {
        lock (_signals)
        {
            if (_waiter == waiter) { _waiter = null; }
        }
        runtime.Complete(() => waiter.TrySetCanceled(cancellationToken));
    }
}
