using CoAP.Transports;

namespace CoAP.Lanes;

/// <summary>Wakes one waiter, which waits with or without a thread. A signal that comes before the wait is kept; further ones have no effect.</summary>
/// <param name="scheduler">Continues the waiter; <see langword="null"/> if threads do.</param>
#pragma warning disable CA1001 // A semaphore holds no system resource unless its wait handle is used, and it is not used here.
internal sealed class ReaderSignal(NetworkScheduler? scheduler = null)
{
#pragma warning restore CA1001
    private readonly SemaphoreSlim _signals = new(0, 1);
    private TaskCompletionSource? _waiter;      // of a scheduler

    /// <summary>Wakes the waiter. Safe for concurrent use.</summary>
    public void Set()
    {
        lock (_signals)
        {
            if (_waiter is { } waiter)
            {
                _waiter = null;
                scheduler!.Queue(() => waiter.TrySetResult());
            }
            else if (_signals.CurrentCount == 0) { _signals.Release(); }
        }
    }

    /// <summary>Waits for a signal.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public Task WaitAsync(CancellationToken cancellationToken) => scheduler is null ? _signals.WaitAsync(cancellationToken) : WaitScheduledAsync(cancellationToken);

    /// <summary>Waits for a signal. Blocks the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public void Wait(CancellationToken cancellationToken)
    {
        SynchronousCalls.CountWait();
        scheduler?.RunUntil(() => _signals.CurrentCount > 0, cancellationToken);
        _signals.Wait(cancellationToken);
    }

    private async Task WaitScheduledAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource waiter;
        lock (_signals)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (_signals.Wait(0, CancellationToken.None)) { return; }
            _waiter = waiter = new();
        }
        using var registration = cancellationToken.UnsafeRegister((_, token) => Cancel(waiter, token), null);
        var isWait = scheduler.BeginWait();
        try { await waiter.Task.ConfigureAwait(false); }
        finally
        {
            if (isWait) { scheduler!.OnWait(isOpen: false); }
        }
    }

    private void Cancel(TaskCompletionSource waiter, CancellationToken cancellationToken)
    {
        lock (_signals)
        {
            if (_waiter == waiter) { _waiter = null; }
        }
        scheduler!.Queue(() => waiter.TrySetCanceled(cancellationToken));
    }
}
