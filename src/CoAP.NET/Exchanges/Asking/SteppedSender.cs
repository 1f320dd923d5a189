namespace CoAP.Exchanges;

/// <summary>Sends requests through one step to another sender.</summary>
/// <param name="step">The step.</param>
/// <param name="next">The other sender.</param>
internal sealed class SteppedSender(IRequestStep step, IRequestSender next) : RequestSender, IEnvironmentSender
{
    public override PayloadFormats Formats => next.Formats;

    public SenderEnvironment Environment { get; } = IEnvironmentSender.EnvironmentOf(next);

    public override async ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        var asking = Environment.Runtime.Call(
            static call => call.step.AskAsync(call.request, call.next, call.cancellationToken), (step, request, next, cancellationToken));
        return await asking.ConfigureAwait(false) ?? throw ReturnedNull();
    }

    public override Answers Ask(CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return step.Ask(request, next, cancellationToken) ?? throw ReturnedNull();
    }

    private InvalidOperationException ReturnedNull() =>
        new($"The step {step.Name} returned null. Return the answers of next, Answers.Of(response) or Answers.None.");
}
