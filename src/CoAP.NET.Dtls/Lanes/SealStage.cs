using System.Diagnostics.CodeAnalysis;

namespace CoAP.Dtls;

/// <summary>Protects the messages to secured peers. The first request to a server begins a session.</summary>
internal sealed class SealStage(DtlsLane lane) : InlineStage<Frame, Frame>
{
    protected override void Process(in Frame item)
    {
        if (item.Key.Peer.Name is null) { Out.Emit(item); }
        else if (TryFind(item.Key, out var peer))
        {
            if (peer.Sent is null || MaySend(peer, peer.Sent, item)) { Seal(peer, item); }
        }
        else if (PeerNames.TryReadServer(item.Key.Peer, out var address, out _))
        {
            // What answers a message of the server belongs to the session of that message (RFC 7252, section 9.1.2).
            if (!SentMessages.ExpectsAnswer(item.Bytes.Span)) { lane.Calls.Refuse(item, address); }
            else if (lane.TryContinue(item.Key)) { Process(item); }
            else { lane.Calls.Begin(item, address); }
        }
        else if (PeerNames.TryReadClient(item.Key.Peer, out address, out _))
        {
            if (!lane.Clients.IsMoving(item.Key.Peer)) { lane.Lane.Fail(item, new CoapTransportException($"The DTLS session with {address} has ended.")); }
        }
        else { Out.Emit(item); }
    }

    // A session without further record numbers ends, and a client begins a new one.
    private bool TryFind(in ChannelKey key, [NotNullWhen(true)] out SecuredPeer? peer)
    {
        if (!lane.Peers.TryFind(key, out peer)) { return false; }
        if (!peer.Session.IsExhausted) { return true; }
        lane.Remove(peer);
        return false;
    }

    // On a client: a server that has restarted silently drops the records of the session. A new handshake shows whether the server is reachable.
    private bool MaySend(SecuredPeer peer, SentMessages sent, in Frame message)
    {
        var bytes = message.Bytes.Span;
        if (sent.Forbids(bytes, lane.Now))
        {
            lane.Calls.Refuse(message, peer.Path.Proven.Peer);
            return false;
        }
        if (lane.Calls.TryHold(peer, sent, message)) { return false; }
        if (sent.Note(bytes, lane.Now) is { } wait) { lane.Calls.Doubt(peer, sent, message, wait); }
        return true;
    }

    private void Seal(SecuredPeer peer, in Frame message)
    {
        if (!lane.Fits(peer, message)) { return; }
        var record = lane.Seal(peer, ContentType.ApplicationData, message.Bytes.Span);
        if (peer.Path.TryAdd(record.Span, out var unproven)) { Out.Emit(new Frame(unproven, record)); }
        if (peer.Path.TryGetReceiver(out var receiver)) { Out.Emit(new Frame(receiver, record)); }
    }
}
