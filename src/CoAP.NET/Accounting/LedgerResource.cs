namespace CoAP;

/// <summary>A limit of an endpoint that a package can charge for its peers.</summary>
/// <remarks>The limit itself is a setting of the endpoint. Accounts share it (<see cref="Account"/>).</remarks>
public enum LedgerResource
{
    /// <summary>Connections, or associations of a security layer over datagrams. The limit is <see cref="TcpSettings.MaxConnections"/>.</summary>
    Connections,

    /// <summary>Handshakes in progress. The limit is <see cref="TlsServerSettings.MaxConcurrentHandshakes"/>.</summary>
    Handshakes,

    /// <summary>Bytes that are held for a peer. The limit is <see cref="ServerTransferSettings.MaxTotalSize"/>.</summary>
    Bytes,
}
