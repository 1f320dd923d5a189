namespace CoAP;

/// <summary>An association with one peer over one transport. Both sides may send requests on it.</summary>
/// <remarks>
/// The URI of a request is a path such as "/path?query". A channel costs nothing to keep; over a connection it ends with the connection. Safe
/// for concurrent use.
/// </remarks>
public interface IChannel : IRequestSender
{
    /// <summary>The other side.</summary>
    PeerIdentity Peer { get; }

    /// <summary>The local address that the association uses.</summary>
    PeerIdentity Local { get; }

    /// <summary>Whether the transport is reliable: no message types, no message IDs, no retransmission (RFC 8323).</summary>
    bool IsReliable { get; }

    /// <summary>Whether the association has ended, so that it can send nothing more. Datagram channels never end by themselves.</summary>
    bool IsClosed { get; }
}
