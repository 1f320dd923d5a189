namespace CoAP.Testing;

/// <summary>A sender without a network: it keeps the requests that it gets, and a function answers them.</summary>
/// <remarks>
/// It serves calls, observations, groups and requests without an answer alike (<see cref="CoapRequest.Shape"/>). Pass it to code that takes
/// an <see cref="IRequestSender"/>. Several threads may call the function at the same time.
/// </remarks>
/// <param name="answer">Answers a request, for example with <see cref="Answers.Of(CoapResponse)"/>. Its exceptions reach the caller.</param>
public sealed class FakeSender(Func<CoapRequest, Answers> answer) : RequestSender
{
    private readonly List<CoapRequest> _requests = [];

    /// <summary>The requests received so far, in order.</summary>
    public IReadOnlyList<CoapRequest> Requests
    {
        get { lock (_requests) { return [.. _requests]; } }
    }

    /// <inheritdoc/>
    public override ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested) { return ValueTask.FromCanceled<Answers>(cancellationToken); }
        try { return new(Ask(request, cancellationToken)); }
        catch (Exception exception)
        {
            return ValueTask.FromException<Answers>(exception);
        }
    }

    /// <inheritdoc/>
    public override Answers Ask(CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        cancellationToken.ThrowIfCancellationRequested();
        lock (_requests) { _requests.Add(request); }
        return answer(request) ?? throw new InvalidOperationException("The function of the FakeSender returned null. Return Answers.Of(response) or Answers.None.");
    }
}
