namespace CoAP.Dtls;

/// <summary>The messages of a client to servers whose session has not begun yet, or has to begin again.</summary>
internal sealed class ServerCalls(DtlsLane lane)
{
    private const int MostFormer = 1024;

    private readonly Dictionary<ChannelKey, SentMessages> _former = [];     // of sessions that have ended

    /// <summary>Begins a session with a server. The message is sent when it has begun.</summary>
    public void Begin(in Frame message, in PeerIdentity address)
    {
        var (identity, place) = (message.Key, new ChannelKey(address, message.Key.Local));
        if (lane.Pending.TryFind(place, out var pending) && pending.Identity.Peer != identity.Peer)
        {
            Fail(message, $"A DTLS handshake with {address} for another host name is in progress. Repeat the request after it.");
            return;
        }
        if (pending is null)
        {
            pending = new PendingHandshake(lane, place, charge: null) { Identity = identity, OwnId = lane.NewConnectionId() };
            lane.Pending.Add(pending);
            pending.Begin(new HandshakeStart(pending.OwnId, null, identity.Peer), default);
        }
        var isRenewed = lane.Peers.TryFind(identity, out _);
        if (isRenewed && !SentMessages.MayRepeat(message.Bytes.Span)) { return; }
        if (_former.TryGetValue(identity, out var former) && former.Forbids(message.Bytes.Span))
        {
            lane.Lane.Fail(message, HandshakeErrors.Ended(address));
            return;
        }
        if (!pending.Held.TryAdd(message) && !isRenewed) { Fail(message, $"Too many messages wait for the DTLS handshake with {address}."); }
    }

    /// <summary>Keeps what was sent in a session that has ended, because not all of it may be sent again.</summary>
    public void OnEnded(in ChannelKey identity, SentMessages sent)
    {
        if (_former.Count >= MostFormer) { _former.Clear(); }
        _former[identity] = sent;
    }

    /// <summary>Returns what was sent in the session before; <see langword="null"/> if there was none.</summary>
    public SentMessages? TakeFormer(in ChannelKey identity) => _former.Remove(identity, out var sent) ? sent : null;

    private void Fail(in Frame message, string reason) => lane.Lane.Fail(message, new CoapTransportException(reason));
}
