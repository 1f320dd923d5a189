namespace CoAP.Transports;

/// <summary>Selects the socket that sends a datagram: the socket with the requested local address, or the one on the route to the peer.</summary>
internal sealed class UdpSourceSelector<TSocket>(TSocket[] sockets)
    where TSocket : class, IUdpSource
{
    private readonly RouteLookup _routes = new();

    /// <summary>Returns the socket for a datagram, or <see langword="null"/> if no socket reaches the peer.</summary>
    /// <param name="key">The destination and the local address to send from.</param>
    public TSocket? Select(in ChannelKey key)
    {
        TSocket? any = null;
        var isOnly = true;
        foreach (var socket in sockets)
        {
            if (!socket.CanReach(key.Peer)) { continue; }
            if (socket.IsBoundTo(key.Local)) { return socket; }
            isOnly = any is null;
            any ??= socket;
        }

        return isOnly || AddressBytes.CanBeSource(key.Local) ? any : SelectByRoute(key.Peer) ?? any;
    }

    private TSocket? SelectByRoute(in PeerIdentity peer)
    {
        foreach (var socket in sockets)
        {
            if (socket.CanReach(peer) && socket.IsBoundTo(_routes.SourceFor(peer, socket.Port))) { return socket; }
        }

        return null;
    }
}
