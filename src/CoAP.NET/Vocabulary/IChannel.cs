namespace CoAP;

/// <summary>An association with one peer over one transport, on which both sides may send requests.</summary>
/// <remarks>Safe for concurrent use. A handle costs nothing to keep; on connections it ends with the connection.</remarks>
public interface IChannel
{
    /// <summary>The other side.</summary>
    PeerIdentity Peer { get; }

    /// <summary>The local address that the association uses.</summary>
    PeerIdentity Local { get; }

    /// <summary>Whether the transport is reliable: no message types, no message IDs, no retransmission (RFC 8323).</summary>
    bool IsReliable { get; }

    /// <summary>Whether the association has ended, so that nothing can be sent any more. Datagram channels never end by themselves.</summary>
    bool IsClosed { get; }

    /// <summary>Sends a request to the peer and waits for its response without holding a thread.</summary>
    /// <exception cref="CoapTimeoutException">Nobody answered in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the request.</exception>
    /// <exception cref="CoapTransportException">The network failed or the connection ended.</exception>
    /// <exception cref="CoapBusyException">The queue of requests to the peer is full.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request to the peer and blocks the calling thread until its response is there.</summary>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request that no response is wanted to (RFC 7967), and waits until it is on its way: acknowledged by the peer where it
    /// is confirmable and the transport a datagram one, else just sent.</summary>
    /// <remarks>The request gets a No-Response option, unless it has one. Later responses of a peer that does not know it are rejected.</remarks>
    /// <exception cref="ArgumentException">The request has a No-Response option that wants some responses.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default);

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="SendAndForgetAsync" path="/remarks|/exception"/>
    Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default);
}
