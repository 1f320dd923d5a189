namespace CoAP;

/// <summary>Sends requests and returns their responses: a client, or a channel to one peer.</summary>
/// <remarks>
/// Every method has a form that blocks the calling thread and one that does not; both run on the same engine. Further ways to send, such as
/// <see cref="RequestExtensions.GetAsync"/>, are extension methods. Safe for concurrent use.
/// </remarks>
public interface IRequestSender
{
    /// <summary>Sends a request and waits for the response without holding a thread.</summary>
    /// <exception cref="ArgumentException">The request has no URI where one is needed, its URI names a group, or it does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTimeoutException">Nobody answered in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the request.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="CoapSecurityException">The connection cannot be secured.</exception>
    /// <exception cref="CoapTransferException">The transfer of a body broke off.</exception>
    /// <exception cref="CoapBusyException">The queue of requests to the peer is full.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request and blocks the calling thread until the response arrives.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request that needs no response (RFC 7967).</summary>
    /// <remarks>
    /// Completes when the peer has acknowledged the request, if it is confirmable and goes as a datagram; otherwise when it has been sent. The
    /// request gets a No-Response option, unless it has one. Responses of a peer that does not know the option are rejected.
    /// </remarks>
    /// <exception cref="ArgumentException">The request has a No-Response option that wants some responses, or it cannot be sent.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request that needs no response (RFC 7967). Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendAndForgetAsync" path="/remarks|/exception"/>
    Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default);
}
