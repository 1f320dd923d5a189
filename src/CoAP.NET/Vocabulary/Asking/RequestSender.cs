namespace CoAP;

/// <summary>The base of senders that answer every request in the same way, whatever answers it asks for: a fake, a router, a proxy.</summary>
/// <remarks>To add behavior to a sender, write an <see cref="IRequestStep"/> and use <see cref="RequestStepExtensions.Through"/>.</remarks>
public abstract class RequestSender : IRequestSender
{
    /// <inheritdoc/>
    public virtual PayloadFormats Formats => PayloadFormats.Default;

    /// <inheritdoc/>
    public abstract ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <inheritdoc/>
    public abstract Answers Ask(CoapRequest request, CancellationToken cancellationToken = default);

    /// <inheritdoc/>
    public virtual async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        using var answers = await AskAsync(CoapRequest.AskingFor(AnswerShape.One, request), cancellationToken).ConfigureAwait(false);
        return answers.Only(request);
    }

    /// <inheritdoc/>
    public virtual CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        using var answers = Ask(CoapRequest.AskingFor(AnswerShape.One, request), cancellationToken);
        return answers.Only(request);
    }

    /// <inheritdoc/>
    public virtual async ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        SingleAnswers.ToDelivery(await AskAsync(CoapRequest.AskingFor(AnswerShape.None, request), cancellationToken).ConfigureAwait(false));

    /// <inheritdoc/>
    public virtual Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) =>
        SingleAnswers.ToDelivery(Ask(CoapRequest.AskingFor(AnswerShape.None, request), cancellationToken));
}
