using CoAP.Lanes;
using CoAP.Runtimes;

namespace CoAP.Streams;

/// <summary>A connection that one caller opens and others wait for, with or without a thread.</summary>
/// <param name="runtime">Continues the callers after the wait.</param>
internal sealed class PendingConnection(EndpointRuntime runtime)
{
    private readonly TaskCompletionSource<Outcome> _outcome = new(runtime.Continuations);

    /// <summary>Whether the next attempt has not started yet, because the last one has failed.</summary>
    public bool IsBackOff { get; init; }

    /// <summary>Ends the wait of all callers.</summary>
    public void Complete(Outcome outcome) => runtime.Complete(() => _outcome.TrySetResult(outcome));

    /// <summary>Waits for the outcome.</summary>
    /// <param name="isBlocking">Whether to block the calling thread.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task<Outcome> WaitAsync(bool isBlocking, CancellationToken cancellationToken)
    {
        if (isBlocking)
        {
            SynchronousCalls.CountWait();
            runtime.HelpUntil(static outcome => ((Task)outcome!).IsCompleted, _outcome.Task, cancellationToken);
            // Needs no other thread: no code runs in this task.
            _outcome.Task.Wait(cancellationToken);
        }
        return _outcome.Task.WaitAsync(cancellationToken);
    }

    /// <summary>The outcome of the attempt.</summary>
    /// <param name="Channel">The connection; <see langword="null"/> if the attempt failed.</param>
    /// <param name="Error">The error; <see langword="null"/> if the caller that opened the connection was canceled. Another caller tries then.</param>
    public sealed record Outcome(StreamChannel? Channel, Exception? Error);
}
