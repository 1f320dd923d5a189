namespace CoAP.Streams;

/// <summary>A connection that one caller opens and others wait for, with or without a thread.</summary>
internal sealed class PendingConnection()
    : TaskCompletionSource<PendingConnection.Outcome>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Whether the next attempt has not started yet, because the last one has failed.</summary>
    public bool IsBackOff { get; init; }

    /// <summary>The outcome of the attempt.</summary>
    /// <param name="Channel">The connection; <see langword="null"/> if the attempt failed.</param>
    /// <param name="Error">The error; <see langword="null"/> if the caller that opened the connection was canceled. Another caller tries then.</param>
    public sealed record Outcome(StreamChannel? Channel, Exception? Error);
}
