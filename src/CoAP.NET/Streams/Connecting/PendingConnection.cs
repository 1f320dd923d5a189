namespace CoAP.Streams;

/// <summary>A connection that one caller opens and others wait for, blocked on this object (sync) or with a task (async).</summary>
internal sealed class PendingConnection
{
    private readonly TaskCompletionSource<Outcome> _task = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly object _gate = new();
    private Outcome? _outcome;

    /// <summary>Whether the next attempt has not started yet, because the last one has failed.</summary>
    public bool IsBackOff { get; init; }

    /// <summary>The outcome of the attempt.</summary>
    /// <param name="Channel">The connection; <see langword="null"/> if the attempt failed.</param>
    /// <param name="Error">The error; <see langword="null"/> if the caller that opened the connection was canceled. Another caller tries then.</param>
    public sealed record Outcome(StreamChannel? Channel, Exception? Error);

    /// <summary>Sets the outcome and wakes all callers.</summary>
    public void Complete(Outcome outcome)
    {
        lock (_gate)
        {
            _outcome = outcome;
            Monitor.PulseAll(_gate);
        }
        _task.TrySetResult(outcome);
    }

    /// <summary>Waits for the outcome.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled. Other callers still wait.</exception>
    public Task<Outcome> WaitAsync(CancellationToken cancellationToken) => _task.Task.WaitAsync(cancellationToken);

    /// <inheritdoc cref="WaitAsync"/>
    public Outcome Wait(CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(static pending => ((PendingConnection)pending!).PulseAll(), this);
        lock (_gate)
        {
            while (_outcome is null && !cancellationToken.IsCancellationRequested) { Monitor.Wait(_gate); }
            return _outcome ?? throw new OperationCanceledException(cancellationToken);
        }
    }

    private void PulseAll()
    {
        lock (_gate) { Monitor.PulseAll(_gate); }
    }
}
