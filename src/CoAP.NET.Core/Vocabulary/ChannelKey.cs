namespace CoAP;

/// <summary>What a channel is keyed by: the peer, and the local address that it talks to (RFC 7252, section 1.2, endpoint).</summary>
/// <param name="Peer">The other side.</param>
/// <param name="Local">Our side: the address the datagrams arrive at and leave from, with the port; none where any local address will do.</param>
public readonly record struct ChannelKey(PeerIdentity Peer, PeerIdentity Local)
{
    /// <summary>Both ends, for log lines.</summary>
    public override string ToString() => Local.IsNone ? Peer.ToString() : $"{Peer} via {Local}";
}
