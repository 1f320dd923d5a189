namespace CoAP;

/// <summary>Sends requests and returns their responses: a client, or a channel to one peer.</summary>
/// <remarks>
/// Every method has an async form and a form that blocks the calling thread. Both use the same engine. Further methods, such as
/// <see cref="RequestExtensions.GetAsync"/> and <see cref="ObservingExtensions.ObserveAsync(IRequestSender, string, CancellationToken)"/>,
/// are extension methods. You can implement this interface: derive from <see cref="RequestSender"/>. Safe for concurrent use.
/// </remarks>
public interface IRequestSender
{
    /// <summary>The formats of typed payloads. Default: <see cref="PayloadFormats.Default"/>. Clients and channels return those of their settings.</summary>
    PayloadFormats Formats => PayloadFormats.Default;

    /// <summary>Sends a request and waits for the response without holding a thread.</summary>
    /// <exception cref="ArgumentException">The request lacks a required URI, its URI names a group, or it does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTimeoutException">The peer did not answer in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the request.</exception>
    /// <exception cref="CoapTransportException">The host has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="CoapSecurityException">The TLS or DTLS handshake failed.</exception>
    /// <exception cref="CoapTransferException">The transfer of a body failed before it was complete.</exception>
    /// <exception cref="CoapBusyException">The queue of requests to the peer is full.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was canceled.</exception>
    ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request and blocks the calling thread until the response arrives.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request that needs no response (RFC 7967).</summary>
    /// <remarks>
    /// Completes when the peer has acknowledged a confirmable request in a datagram, or when any other request has been sent. Adds a No-Response option
    /// unless the request has one. If the peer does not support the option, its response is rejected.
    /// </remarks>
    /// <exception cref="ArgumentException">The request has a No-Response option that wants some responses, or it cannot be sent.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    async ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        SingleAnswers.ToDelivery(await AskAsync(CoapRequest.AskingFor(AnswerShape.None, request), cancellationToken).ConfigureAwait(false));

    /// <summary>Sends a request that needs no response (RFC 7967). Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendAndForgetAsync" path="/remarks|/exception"/>
    Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) =>
        SingleAnswers.ToDelivery(Ask(CoapRequest.AskingFor(AnswerShape.None, request), cancellationToken));

    /// <summary>Sends a request, whatever answers it asks for (<see cref="CoapRequest.Shape"/>), and returns them.</summary>
    /// <remarks>
    /// Completes when the first answer has arrived, or when it is certain that none will: a request that needs no response has been sent, or
    /// the wait for a group is over. A sender that does not implement it serves requests for one answer.
    /// </remarks>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Ends the wait for the first answer.</param>
    /// <exception cref="NotSupportedException">The sender cannot get such answers.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        SingleAnswers.AskAsync(this, request, cancellationToken);

    /// <summary>Sends a request, whatever answers it asks for, and returns them. Blocks the calling thread.</summary>
    /// <inheritdoc cref="AskAsync" path="/remarks|/param|/exception"/>
    Answers Ask(CoapRequest request, CancellationToken cancellationToken = default) => SingleAnswers.Ask(this, request, cancellationToken);
}
