namespace CoAP.Exchanges;

/// <summary>Opens the channels of an endpoint. Safe for concurrent use.</summary>
internal interface IChannelSource
{
    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Connections are shared and opened on demand.</summary>
    /// <param name="scheme">The URI scheme, which selects the transport.</param>
    /// <param name="peer">The peer.</param>
    /// <param name="host">The name that the peer's certificate must have.</param>
    /// <param name="mayWait">Whether to wait for the next attempt if earlier attempts to connect failed. Otherwise the call fails at once.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="CoapTransportException">No connection could be opened.</exception>
    ValueTask<IChannel> OpenChannelAsync(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken);

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Blocks the calling thread while a connection is opened.</summary>
    /// <inheritdoc cref="OpenChannelAsync" path="/param|/exception"/>
    IChannel OpenChannel(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken);

    /// <summary>Returns the connection that the peer has opened, or a datagram channel to the peer if it has opened none.</summary>
    IChannel OpenChannel(PeerIdentity peer);
}
