namespace CoAP.Blockwise;

/// <summary>The bodies of each peer. A peer is stored while it has a body.</summary>
internal sealed class PeerIndex<T>
{
    private readonly Dictionary<BodyPeer, List<T>> _peers = [];

    /// <summary>The bodies of a peer, the oldest first.</summary>
    public IReadOnlyList<T> Of(in BodyPeer peer) => _peers.TryGetValue(peer, out var bodies) ? bodies : [];

    public void Add(in BodyPeer peer, T body)
    {
        if (!_peers.TryGetValue(peer, out var bodies)) { _peers[peer] = bodies = []; }
        bodies.Add(body);
    }

    public void Remove(in BodyPeer peer, T body)
    {
        if (_peers.TryGetValue(peer, out var bodies) && bodies.Remove(body) && bodies.Count == 0) { _peers.Remove(peer); }
    }
}
