namespace CoAP;

/// <summary>A step that requests pass on their way out, and their answers on the way back: it may change, record, retry, answer or refuse them.</summary>
/// <remarks>
/// A step is called once for each request, whatever answers it asks for (<see cref="CoapRequest.Shape"/>). It passes the request on with
/// <see cref="IRequestSender.AskAsync"/> of <c>next</c>, also more than once (see <see cref="CoapRequest.TryRepeat"/>) or never. Further
/// registrations of an observation do not pass it. A step must be safe for concurrent use. <see cref="RequestStep"/> makes a step of functions.
/// <see cref="CoapRequest.With"/> changes a request.
/// </remarks>
public interface IRequestStep
{
    /// <summary>Handles a request without holding a thread.</summary>
    /// <param name="request">The request. Its URI is absolute, unless the sender is a channel.</param>
    /// <param name="next">Sends requests through the further steps.</param>
    /// <param name="cancellationToken">Ends the wait for the first answer.</param>
    /// <returns>The answers. <see cref="Answers.Map"/> has those of <c>next</c> recorded or changed.</returns>
    /// <exception cref="NotSupportedException">The step serves only synchronous calls.</exception>
    ValueTask<Answers> AskAsync(CoapRequest request, IRequestSender next, CancellationToken cancellationToken) => throw new NotSupportedException(
        $"The step {Name} serves only synchronous calls, because it does not implement IRequestStep.AskAsync. Call the blocking form, or implement it.");

    /// <summary>Handles a request. Blocks the calling thread.</summary>
    /// <inheritdoc cref="AskAsync" path="/param|/returns"/>
    /// <exception cref="NotSupportedException">The step serves only asynchronous calls.</exception>
    Answers Ask(CoapRequest request, IRequestSender next, CancellationToken cancellationToken) => throw new NotSupportedException(
        $"The step {Name} serves only asynchronous calls, because it does not implement IRequestStep.Ask. Call the async form, or implement it.");

    /// <summary>The name of the step in messages. Default: the name of its type.</summary>
    string Name => GetType().Name;
}
