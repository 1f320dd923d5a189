using CoAP.Serialization;

namespace CoAP.Dtls;

/// <summary>The messages of a client to servers whose session has not begun yet, or has to begin again.</summary>
internal sealed class ServerCalls(DtlsLane lane)
{
    private const int MostFormer = 1024;

    private readonly OrderedDictionary<ChannelKey, SentMessages> _former = [];     // of sessions that have ended, the last one at the end

    /// <summary>Begins a session with a server. The message is sent when it has begun.</summary>
    public void Begin(in Frame message, in PeerIdentity address)
    {
        var (identity, place) = (message.Key, new ChannelKey(address, message.Key.Local));
        if (lane.Pending.TryFind(place, out var pending) && pending.Identity.Peer != identity.Peer)
        {
            Fail(message, $"A DTLS handshake with {address} for another host name is in progress. Try again when it has ended.");
            return;
        }
        var isRenewed = lane.Peers.TryFind(identity, out _);
        if (pending is null)
        {
            if (!lane.HasRoomForHandshake)
            {
                if (!isRenewed) { Fail(message, "Too many DTLS handshakes are in progress (DtlsClientSettings.MaxConcurrentHandshakes). Repeat the request later."); }
                return;
            }
            pending = new PendingHandshake(lane, place, charge: null) { Identity = identity, OwnId = lane.NewConnectionId() };
            lane.Pending.Add(pending);
            pending.Begin(new HandshakeStart(pending.OwnId, null, identity.Peer), default);
        }
        if (isRenewed && !SentMessages.MayRepeat(message.Bytes.Span)) { return; }
        if (_former.TryGetValue(identity, out var former) && former.Forbids(message.Bytes.Span, lane.Now))
        {
            Refuse(message, address);
            return;
        }
        if (!pending.Held.TryAdd(message) && !isRenewed) { Fail(message, $"The queue of messages that wait for the DTLS handshake with {address} is full."); }
    }

    /// <summary>Returns whether messages to a server wait for its session.</summary>
    public bool IsInHandshake(ChannelKey identity) => !lane.Peers.TryFind(identity, out _)
        && PeerNames.TryReadServer(identity.Peer, out var address, out _) && lane.Pending.TryFind(new ChannelKey(address, identity.Local), out _);

    /// <summary>Called when the handshake with a server has succeeded.</summary>
    public void Accept(PendingHandshake pending)
    {
        // The host names of two requests can have the same address. The later session replaces the earlier one.
        if (lane.Peers.TryFind(pending.Identity, out var earlier)) { lane.End(earlier); }
        if (lane.Peers.TryFindByAddress(pending.Address, out earlier)) { lane.End(earlier); }
        if (!lane.HasRoomForSession && lane.Peers.Oldest is { } oldest) { lane.End(oldest); }
        lane.Source.OnDone(pending.Handshake!, pending.Identity.Peer);
        var former = TakeFormer(pending.Identity);
        lane.Add(new SecuredPeer(pending.Identity, pending.Address, pending.TakeSession())
        {
            Credentials = pending.Credentials,
            Sent = former,
            LastFlight = pending.Machine!.LastFlight,
        });
        foreach (var lost in former.FindLost()) { lane.Lane.Fail(new Frame(pending.Identity, lost), HandshakeErrors.Ended(pending.Address.Peer)); }
    }

    /// <summary>Ends the call of a message that belongs to a session that has ended.</summary>
    public void Refuse(in Frame message, in PeerIdentity server)
    {
        var bytes = message.Bytes.Span;
        // No call waits for an acknowledgement or a Reset, and their number is one of the server.
        if (bytes.Length > 0 && DatagramHeader.ReadType(bytes) is MessageType.Confirmable or MessageType.NonConfirmable)
        {
            lane.Lane.Fail(message, HandshakeErrors.Ended(server));
        }
    }

    /// <summary>Keeps the messages of a session that has ended, because some of them must not be sent again.</summary>
    public void OnEnded(in ChannelKey identity, SentMessages sent)
    {
        sent.EndSession();
        _former.Remove(identity);
        if (sent.IsEmpty) { return; }
        if (_former.Count == MostFormer) { _former.RemoveAt(0); }
        _former.Add(identity, sent);
    }

    /// <summary>Returns what was sent in earlier sessions, which the next one continues.</summary>
    public SentMessages TakeFormer(in ChannelKey identity) => _former.Remove(identity, out var sent) ? sent : new SentMessages();

    private void Fail(in Frame message, string reason) => lane.Lane.Fail(message, new CoapTransportException(reason));
}
