namespace CoAP;

/// <summary>An association with one peer over one transport. Both sides may send requests on it.</summary>
/// <remarks>
/// The URI of a request is a path such as "/path?query". A datagram channel need not be closed; other channels end with their connection. Safe
/// for concurrent use.
/// </remarks>
public interface IChannel : IRequestSender
{
    /// <summary>The identity of the peer.</summary>
    PeerIdentity Peer { get; }

    /// <summary>The local address that the association uses.</summary>
    PeerIdentity Local { get; }

    /// <summary>Whether the transport is reliable, so that messages have no type, no message ID and no retransmission (RFC 8323).</summary>
    bool IsReliable { get; }

    /// <summary>Whether the association has ended, so that requests can no longer be sent. Datagram channels do not end.</summary>
    bool IsClosed { get; }

    /// <summary>
    /// Canceled when the association ends: its connection is closed, its DTLS session ends or another one replaces it, or the endpoint stops. A channel
    /// over plain datagrams ends only with the endpoint. Default of other implementations: <see cref="CancellationToken.None"/>.
    /// </summary>
    /// <remarks>
    /// Callbacks run on the thread pool. On a client, a DTLS channel whose session has not begun, or has ended, waits for the end of the next session.
    /// </remarks>
    CancellationToken Closed => CancellationToken.None;
}
