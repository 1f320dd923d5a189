namespace CoAP.Dtls;

/// <summary>Calls an action for peers, each a fixed time after it was added. One timer of a lane serves all of them.</summary>
/// <remarks>
/// Peers whose sessions end are not removed at once, but before they are as many as those with a session. Their sessions could otherwise take memory beyond all
/// limits.
/// </remarks>
internal sealed class DelayedPeers
{
    private const int Least = 1024;

    private readonly ILane _lane;
    private readonly TimeSpan _delay;
    private readonly Action<SecuredPeer> _action;
    private Queue<(SecuredPeer Peer, TimeSpan Due)> _peers = [];
    private int _enough = Least;
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
        if (_peers.Count >= _enough)
        {
            _peers = new(_peers.Where(static one => !one.Peer.HasEnded));
            _enough = Math.Max(Least, 2 * _peers.Count);
        }
        _peers.Enqueue((peer, _lane.Now + _delay));
        if (!_timer.IsRunning) { _timer.Start(_delay); }
    }

    private void OnTime()
    {
        while (_peers.TryPeek(out var first) && first.Due <= _lane.Now)
        {
            _peers.Dequeue();
            if (!first.Peer.HasEnded) { _action(first.Peer); }
        }
        if (_peers.TryPeek(out var next)) { _timer.Start(next.Due - _lane.Now); }
    }
}
