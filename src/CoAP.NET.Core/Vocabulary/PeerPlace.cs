namespace CoAP;

/// <summary>A peer, and the local port that its datagrams arrive at.</summary>
internal readonly record struct PeerPlace(PeerIdentity Peer, int LocalPort) : ISeededKey
{
    /// <summary>Returns the place of a channel, whose local address may be unknown.</summary>
    public static PeerPlace Of(in ChannelKey key) => new(key.Peer, key.Local.Port);

    public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), LocalPort);
}
