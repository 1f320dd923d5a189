namespace CoAP.Dtls;

/// <summary>Calls an action for peers, each a fixed time after it was added. One timer of a lane serves all of them.</summary>
/// <remarks>The session of a peer may have ended when its turn comes.</remarks>
internal sealed class DelayedPeers
{
    private readonly ILane _lane;
    private readonly TimeSpan _delay;
    private readonly Action<SecuredPeer> _action;
    private readonly Queue<(SecuredPeer Peer, TimeSpan Due)> _peers = [];
    private readonly LaneTimer _timer;

    /// <param name="lane">The lane.</param>
    /// <param name="delay">The time.</param>
    /// <param name="action">The action. It may add the peer again.</param>
    public DelayedPeers(ILane lane, TimeSpan delay, Action<SecuredPeer> action)
    {
        (_lane, _delay, _action) = (lane, delay, action);
        _timer = lane.CreateTimer(OnTime);
    }

    public void Add(SecuredPeer peer)
    {
        _peers.Enqueue((peer, _lane.Now + _delay));
        if (!_timer.IsRunning) { _timer.Start(_delay); }
    }

    private void OnTime()
    {
        while (_peers.TryPeek(out var first) && first.Due <= _lane.Now) { _action(_peers.Dequeue().Peer); }
        if (_peers.TryPeek(out var next)) { _timer.Start(next.Due - _lane.Now); }
    }
}
