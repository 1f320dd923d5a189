namespace CoAP.Dtls;

/// <summary>Protects the messages to secured peers. The first message to a server begins a session.</summary>
internal sealed class SealStage(DtlsLane lane) : InlineStage<Frame, Frame>
{
    protected override void Process(in Frame item)
    {
        if (item.Key.Peer.Name is null) { Out.Emit(item); }
        else if (lane.Peers.TryFind(item.Key, out var peer))
        {
            if (peer.Sent is null || MaySend(peer, peer.Sent, item)) { Seal(peer, item); }
        }
        else if (PeerNames.TryReadServer(item.Key.Peer, out var address, out _))
        {
            if (lane.TryContinue(item.Key)) { Process(item); }
            else { lane.Calls.Begin(item, address); }
        }
        else if (PeerNames.TryReadClient(item.Key.Peer, out address, out _))
        {
            lane.Lane.Fail(item, new CoapTransportException($"The DTLS session with {address} has ended."));
        }
        else { Out.Emit(item); }
    }

    // On a client: a server that has restarted drops the records of the session silently. A new handshake shows whether it is there.
    private bool MaySend(SecuredPeer peer, SentMessages sent, in Frame message)
    {
        if (peer.Former?.Forbids(message.Bytes.Span) == true)
        {
            lane.Lane.Fail(message, HandshakeErrors.Ended(peer.Path.Proven.Peer));
            return false;
        }
        sent.Note(message.Bytes.Span);
        if (sent.IsLost && PeerNames.TryReadServer(peer.Identity.Peer, out var address, out _)) { lane.Calls.Begin(message, address); }
        return true;
    }

    private void Seal(SecuredPeer peer, in Frame message)
    {
        if (message.Bytes.Length > peer.Session.MaxMessage)
        {
            lane.Lane.Fail(message, new CoapTransportException(
                $"The message has {message.Bytes.Length} bytes, but {peer.Path.Proven.Peer} takes only {peer.Session.MaxMessage} in a DTLS record (RFC 6066, section 4)."));
            return;
        }
        var record = lane.Seal(peer, ContentType.ApplicationData, message.Bytes.Span);
        if (record.Length > 0)
        {
            if (peer.Path.TryAdd(record.Span, out var address)) { Out.Emit(new Frame(address, record)); }
            Out.Emit(new Frame(peer.Path.Proven, record));
            return;
        }
        lane.Remove(peer);
        Process(message);       // a client begins a new session
    }
}
