using System.Diagnostics.CodeAnalysis;
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

    /// <summary>
    /// Called when a message was sent for the third time in a session, without any record of the server in between. Begins another session unless an answer arrives
    /// in time: that to the third copy is still on its way.
    /// </summary>
    public void Doubt(SecuredPeer peer, SentMessages sent, in Frame message, TimeSpan wait)
    {
        if (sent.IsDoubted) { return; }
        sent.IsDoubted = true;
        var (heard, copy) = (sent.HeardCount, new Frame(message.Key, message.Bytes.ToArray()));
        lane.Lane.CreateTimer(Decide).Start(wait);

        void Decide()
        {
            sent.IsDoubted = false;
            if (sent.HeardCount != heard || peer.HasEnded) { return; }
            if (PeerNames.TryReadServer(peer.Identity.Peer, out var address, out _)) { Begin(copy, address); }
        }
    }

    /// <summary>
    /// Holds a message to a server while another session with it begins, so that it goes out in that one. Until this side has sent its Finished, it goes out in the
    /// earlier session as well, which may still be there. From then on, the server has abandoned that one (RFC 6347, section 4.2.8), and nothing is sent in it.
    /// </summary>
    /// <returns>Whether the message must not be sent in the earlier session.</returns>
    public bool TryHold(SecuredPeer peer, SentMessages sent, in Frame message)
    {
        if (!TryFindRenewal(peer, out var pending)) { return false; }
        var hasFinished = pending.Machine?.Session is not null;
        var mayMove = SentMessages.ExpectsAnswer(message.Bytes.Span)
            && (SentMessages.MayRepeat(message.Bytes.Span) || (hasFinished && !sent.IsRepeat(message.Bytes.Span)));
        if (mayMove) { pending.Held.TryAdd(message); }
        return hasFinished;
    }

    /// <summary>Whether the session with a server was given up as lost, and another one begins.</summary>
    public bool IsGivenUp(SecuredPeer peer) => TryFindRenewal(peer, out _);

    /// <summary>Called when a record of a server has arrived in its session. The session is not lost, so no other one has to begin.</summary>
    public void OnAnswered(SecuredPeer peer)
    {
        if (!TryFindRenewal(peer, out var pending) || pending.Machine?.Session is not null) { return; }
        lane.Pending.Remove(pending);
        pending.Dispose();
    }

    /// <summary>Returns whether messages to a server wait for its session.</summary>
    public bool IsInHandshake(ChannelKey identity) => !lane.Peers.TryFind(identity, out _)
        && PeerNames.TryReadServer(identity.Peer, out var address, out _) && lane.Pending.TryFind(new ChannelKey(address, identity.Local), out _);

    /// <summary>Called when the handshake with a server has succeeded.</summary>
    public void Accept(PendingHandshake pending)
    {
        // The host names of two requests can have the same address. The later session replaces the earlier one. The server has abandoned that with the Finished
        // (RFC 6347, section 4.2.8), and could take an alert in it for the newest word of this client.
        if (lane.Peers.TryFind(pending.Identity, out var earlier)) { lane.Remove(earlier); }
        if (lane.Peers.TryFindByAddress(pending.Address, out earlier)) { lane.Remove(earlier); }
        if (!lane.HasRoomForSession && lane.Peers.Oldest is { } oldest) { lane.End(oldest); }
        lane.Source.OnDone(pending.Handshake!, pending.Identity.Peer);
        var former = TakeFormer(pending.Identity);
        lane.Add(new SecuredPeer(pending.Identity, pending.Address, pending.TakeSession())
        {
            Credentials = pending.Credentials,
            Sent = former,
            LastFlight = pending.Machine!.LastFlight,
            RoundTrip = TimeSpan.FromTicks(pending.Machine.RoundTrip),
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

    private bool TryFindRenewal(SecuredPeer peer, [NotNullWhen(true)] out PendingHandshake? pending)
    {
        pending = null;
        return lane.Pending.Count > 0 && lane.Pending.TryFind(peer.Address, out pending) && pending.Identity.Peer == peer.Identity.Peer;
    }

    private void Fail(in Frame message, string reason) => lane.Lane.Fail(message, new CoapTransportException(reason));
}
