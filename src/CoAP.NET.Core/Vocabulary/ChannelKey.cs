namespace CoAP;

/// <summary>The key of a channel: the peer and the local address that it uses (RFC 7252, section 1.2, endpoint).</summary>
/// <param name="Peer">The remote endpoint.</param>
/// <param name="Local">The local address and port that datagrams arrive at and leave from; none if any local address may be used.</param>
public readonly record struct ChannelKey(PeerIdentity Peer, PeerIdentity Local) : ISeededKey
{
    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Local.GetHashCode());

    /// <summary>Returns both endpoints for logs.</summary>
    public override string ToString() => Local.IsNone ? Peer.ToString() : $"{Peer} via {Local}";
}
