namespace CoAP.Streams;

/// <summary>A connection that one caller opens and others wait for, with or without a thread.</summary>
internal sealed class PendingConnection
{
    private readonly TaskCompletionSource<Outcome> _task = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Whether the next attempt has not started yet, because the last one has failed.</summary>
    public bool IsBackOff { get; init; }

    /// <summary>The outcome of the attempt.</summary>
    /// <param name="Channel">The connection; <see langword="null"/> if the attempt failed.</param>
    /// <param name="Error">The error; <see langword="null"/> if the caller that opened the connection was canceled. Another caller tries then.</param>
    public sealed record Outcome(StreamChannel? Channel, Exception? Error);

    /// <summary>Sets the outcome and wakes all callers.</summary>
    public void Complete(Outcome outcome) => _task.TrySetResult(outcome);

    /// <summary>Waits for the outcome.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled. Other callers still wait.</exception>
    public Task<Outcome> WaitAsync(CancellationToken cancellationToken) => _task.Task.WaitAsync(cancellationToken);

    /// <inheritdoc cref="WaitAsync"/>
    public Outcome Wait(CancellationToken cancellationToken)
    {
        _task.Task.Wait(cancellationToken);     // needs no other thread: no code runs in this task
        return _task.Task.Result;
    }
}
