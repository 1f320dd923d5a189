namespace CoAP;

/// <summary>A limit of an endpoint that a package can charge for its peers.</summary>
/// <remarks>
/// The limit is a setting of the server. Accounts share it (<see cref="Account"/>). On a client, <see cref="Connections"/> and <see cref="Handshakes"/> have a
/// limit of 0, so a charge is always refused.
/// </remarks>
public enum LedgerResource
{
    /// <summary>Connections. The limit is <see cref="TcpSettings.MaxConnections"/>.</summary>
    Connections,

    /// <summary>Handshakes of connections in progress. The limit is <see cref="TlsServerSettings.MaxConcurrentHandshakes"/>.</summary>
    Handshakes,

    /// <summary>Bytes that are held for a peer. The limit is <see cref="ServerTransferSettings.MaxTotalSize"/>.</summary>
    Bytes,

    /// <summary>Sessions of a security layer over datagrams. The limit is <see cref="DatagramSecurity.MaxSessions"/>.</summary>
    Sessions,

    /// <summary>Handshakes of a security layer over datagrams. The limit is <see cref="DatagramSecurity.MaxConcurrentHandshakes"/>.</summary>
    SessionHandshakes,
}
