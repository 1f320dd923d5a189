namespace CoAP;

/// <summary>Sends requests on behalf of somebody else: for proxies and gateways.</summary>
public static class RawExtensions
{
    /// <summary>Sends a request as it is and returns its responses unchanged, with all their options, known or not.</summary>
    /// <param name="sender">The client or channel.</param>
    /// <param name="request">
    /// The request, which is one message. Its URI says where it is sent. With Observe 0, the answers go on until they are disposed of.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for the first response.</param>
    /// <returns>The responses, in the order of their arrival. At most 256 wait for the reader; one more ends them with an error.</returns>
    /// <remarks><inheritdoc cref="RawExchange" path="/remarks"/></remarks>
    /// <exception cref="CoapException">The request failed.</exception>
    /// <exception cref="ArgumentException">The request cannot be sent in one message.</exception>
    public static ValueTask<Answers> AskRawAsync(
        this IRequestSender sender, CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return sender.AskAsync(CoapRequest.AskingFor(AnswerShape.Raw, request), cancellationToken);
    }

    /// <summary>Sends a request like <see cref="AskRawAsync"/>. Blocks the calling thread until the first response arrives.</summary>
    /// <inheritdoc cref="AskRawAsync" path="/param|/returns|/remarks|/exception"/>
    public static Answers AskRaw(this IRequestSender sender, CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return sender.Ask(CoapRequest.AskingFor(AnswerShape.Raw, request), cancellationToken);
    }
}
