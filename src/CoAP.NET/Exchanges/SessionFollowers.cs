namespace CoAP.Exchanges;

/// <summary>A transfer or observation of a client whose state on the server ends with the session of a security layer.</summary>
internal interface ISessionFollower
{
    /// <summary>The server, and the local address.</summary>
    ChannelKey Key { get; }

    /// <summary>Called on the lane when a session with the server has begun. For the server, the client is another endpoint from now on.</summary>
    void OnSessionBegun();
}

/// <summary>The transfers and observations of a lane that depend on sessions with servers. Empty on a server.</summary>
internal sealed class SessionFollowers
{
    private readonly Dictionary<PeerPlace, HashSet<ISessionFollower>> _followers = [];

    /// <summary>Adds a follower. Does nothing if its server is not a peer of a security layer.</summary>
    public void Add(ISessionFollower follower)
    {
        if (follower.Key.Peer.Name is null) { return; }
        if (!_followers.TryGetValue(PeerPlace.Of(follower.Key), out var all)) { _followers[PeerPlace.Of(follower.Key)] = all = []; }
        all.Add(follower);
    }

    public void Remove(ISessionFollower follower)
    {
        if (_followers.Count > 0 && _followers.TryGetValue(PeerPlace.Of(follower.Key), out var all) && all.Remove(follower) && all.Count == 0)
        {
            _followers.Remove(PeerPlace.Of(follower.Key));
        }
    }

    /// <summary>Called when a session of a security layer has begun.</summary>
    public void OnBegun(in ChannelKey peer)
    {
        if (_followers.Count == 0 || !_followers.TryGetValue(PeerPlace.Of(peer), out var all)) { return; }
        foreach (var follower in all.ToArray()) { follower.OnSessionBegun(); }
    }
}
