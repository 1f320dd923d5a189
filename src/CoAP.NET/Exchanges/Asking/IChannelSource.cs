namespace CoAP.Exchanges;

/// <summary>Opens the channels of an endpoint. Safe for concurrent use.</summary>
internal interface IChannelSource
{
    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Connections are shared, and opened when they are needed.</summary>
    /// <param name="scheme">The transport.</param>
    /// <param name="peer">The peer.</param>
    /// <param name="host">The name that the peer's certificate has to be for.</param>
    /// <param name="mayWait">Whether to wait after failed attempts to connect; otherwise the call fails at once.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="CoapTransportException">No connection could be opened.</exception>
    ValueTask<IChannel> OpenChannelAsync(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken);

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Blocks the calling thread while a connection is opened.</summary>
    /// <inheritdoc cref="OpenChannelAsync" path="/param|/exception"/>
    IChannel OpenChannel(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken);

    /// <summary>Returns a channel to a peer: the connection that the peer has opened, otherwise a datagram channel.</summary>
    IChannel OpenChannel(PeerIdentity peer);
}
