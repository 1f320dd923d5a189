namespace CoAP.Lanes;

/// <summary>Wakes one waiter, which waits with or without a thread. A signal that comes before the wait is kept; further ones have no effect.</summary>
#pragma warning disable CA1001 // A semaphore holds no system resource unless its wait handle is used, and it is not used here.
internal sealed class ReaderSignal
{
#pragma warning restore CA1001
    private readonly SemaphoreSlim _signals = new(0, 1);

    /// <summary>Wakes the waiter. Safe for concurrent use.</summary>
    public void Set()
    {
        lock (_signals)
        {
            if (_signals.CurrentCount == 0) { _signals.Release(); }
        }
    }

    /// <summary>Waits for a signal.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public Task WaitAsync(CancellationToken cancellationToken) => _signals.WaitAsync(cancellationToken);

    /// <summary>Waits for a signal. Blocks the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public void Wait(CancellationToken cancellationToken) => _signals.Wait(cancellationToken);
}
