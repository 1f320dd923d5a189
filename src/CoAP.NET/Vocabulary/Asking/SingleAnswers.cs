namespace CoAP;

/// <summary>Serves <see cref="IRequestSender.AskAsync"/> for senders that do not implement it: only requests for one answer.</summary>
internal static class SingleAnswers
{
    public static async ValueTask<Answers> AskAsync(IRequestSender sender, CoapRequest request, CancellationToken cancellationToken)
    {
        ThrowIfMany(sender, request);
        return Answers.Of(await sender.SendAsync(request, cancellationToken).ConfigureAwait(false));
    }

    public static Answers Ask(IRequestSender sender, CoapRequest request, CancellationToken cancellationToken)
    {
        ThrowIfMany(sender, request);
        return Answers.Of(sender.Send(request, cancellationToken));
    }

    /// <summary>Converts the answers to a request that wants none.</summary>
    public static Delivery ToDelivery(Answers answers) => new(answers.IsAcknowledged, answers.First);

    /// <summary>Converts the outcome of a request that wants no answer.</summary>
    public static Answers Of(Delivery delivery) =>
        delivery.Response is { } response ? Answers.Of(response) : delivery.IsAcknowledged ? Answers.Acknowledged : Answers.None;

    private static void ThrowIfMany(IRequestSender sender, CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Shape == AnswerShape.One) { return; }
        throw new NotSupportedException(
            $"{sender.GetType().Name} serves only requests that ask for one answer, because it does not implement IRequestSender.AskAsync and Ask. "
            + $"This request asks for answers of the shape {request.Shape}.");
    }
}
