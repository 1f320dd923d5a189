namespace CoAP;

/// <summary>Makes steps of functions.</summary>
public static class RequestStep
{
    /// <summary>Returns a step of two functions, one for each form of a call.</summary>
    /// <param name="name">The name of the step in messages.</param>
    /// <param name="askAsync">See <see cref="IRequestStep.AskAsync"/>. Default: asynchronous calls throw <see cref="NotSupportedException"/>.</param>
    /// <param name="ask">See <see cref="IRequestStep.Ask"/>. Default: synchronous calls throw <see cref="NotSupportedException"/>.</param>
    /// <exception cref="ArgumentException">There is no function, or the name is empty.</exception>
    public static IRequestStep Of(
        string name,
        Func<CoapRequest, IRequestSender, CancellationToken, ValueTask<Answers>>? askAsync = null,
        Func<CoapRequest, IRequestSender, CancellationToken, Answers>? ask = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return askAsync is not null || ask is not null
            ? new FunctionStep(name, askAsync, ask)
            : throw new ArgumentException($"The step {name} has no function. Pass askAsync, ask or both.", nameof(askAsync));
    }

    private sealed class FunctionStep(
        string name,
        Func<CoapRequest, IRequestSender, CancellationToken, ValueTask<Answers>>? askAsync,
        Func<CoapRequest, IRequestSender, CancellationToken, Answers>? ask) : IRequestStep
    {
        public string Name => name;

        public ValueTask<Answers> AskAsync(CoapRequest request, IRequestSender next, CancellationToken cancellationToken) =>
            askAsync is not null ? askAsync(request, next, cancellationToken) : throw new NotSupportedException(
                $"The step {name} serves only synchronous calls, because it was created without the function askAsync. Call the blocking form, or pass it.");

        public Answers Ask(CoapRequest request, IRequestSender next, CancellationToken cancellationToken) =>
            ask is not null ? ask(request, next, cancellationToken) : throw new NotSupportedException(
                $"The step {name} serves only asynchronous calls, because it was created without the function ask. Call the async form, or pass it.");
    }
}
