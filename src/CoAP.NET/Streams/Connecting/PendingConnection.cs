namespace CoAP.Streams;

/// <summary>A connection that somebody sets up and several callers wait for, parked on this object (sync) or with a task (async).</summary>
internal sealed class PendingConnection
{
    private readonly TaskCompletionSource<Outcome> _task = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly object _gate = new();
    private Outcome? _outcome;

    /// <summary>Whether nobody sets it up yet, because an attempt has failed a short while ago.</summary>
    public bool IsWait { get; init; }

    /// <summary>How it went.</summary>
    /// <param name="Channel">The connection; none where it failed.</param>
    /// <param name="Error">Why it failed; none where whoever set it up gave up, so that somebody else has to.</param>
    public sealed record Outcome(StreamChannel? Channel, Exception? Error);

    public void Complete(Outcome outcome)
    {
        lock (_gate)
        {
            _outcome = outcome;
            Monitor.PulseAll(_gate);
        }
        _task.TrySetResult(outcome);
    }

    /// <exception cref="OperationCanceledException">The token fired; the others go on waiting.</exception>
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
