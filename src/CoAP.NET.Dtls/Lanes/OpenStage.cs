using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CoAP.Serialization;

namespace CoAP.Dtls;

/// <summary>Opens the records of received datagrams (RFC 6347, section 4.1.2). Records that are not authentic are dropped.</summary>
/// <param name="lane">The sessions and handshakes.</param>
/// <param name="hellos">Begins the handshakes of a server; <see langword="null"/> on a client.</param>
/// <param name="isSecuredOnly">Whether plain datagrams are dropped.</param>
internal sealed class OpenStage(DtlsLane lane, HelloGate? hellos, bool isSecuredOnly) : InlineStage<Frame, Frame>
{
    private const byte FirstType = 20, LastType = 63;     // CoAP messages begin with 64 or more (RFC 7252, section 3)

    private const int VersionAt = 6;

    private byte[] _buffer = new byte[2048];
    private bool _hasHello;     // in the current datagram

    protected override void Process(in Frame item)
    {
        var datagram = item.Bytes.Span;
        if (datagram.IsEmpty || datagram[0] is < FirstType or > LastType)
        {
            if (isSecuredOnly) { DropPlain(item); }
            else { Out.Emit(item); }
            return;
        }
        if (IsForOther(item, out var other))
        {
            other.Strays.Take(item);
            return;
        }
        Open(item);
    }

    protected override void OnCompleted()
    {
        lane.Dispose();
        base.OnCompleted();
    }

    /// <summary>Opens a datagram of this lane.</summary>
    public void Open(Frame item)
    {
        var length = item.Bytes.Length;
        if (_buffer.Length < length) { _buffer = new byte[length]; }
        item.Bytes.Span.CopyTo(_buffer);
        var rest = _buffer.AsSpan(0, length);
        _hasHello = false;
        while (DtlsRecord.TryRead(ref rest, lane.IdLength, out var record))
        {
            if (record.Type == ContentType.ConnectionId) { OpenById(record, item.Key); }
            else if (record.Number.Epoch == 0) { OpenPlain(record, item.Key); }
            else { OpenByAddress(record, item.Key); }
        }
    }

    // Plain CoAP on the DTLS port gets no answer, so that a scan learns nothing about the port.
    private void DropPlain(in Frame item)
    {
        DtlsMetrics.Drop("plain");
        if (!item.Bytes.IsEmpty && item.Bytes.Span[0] >> VersionAt == DatagramHeader.Version) { lane.Log.PlainDropped(item.Key); }
    }

    // The system may give the datagrams of a moved peer to another lane. Its number is in the connection ID.
    private bool IsForOther(in Frame item, out DtlsLane other)
    {
        var datagram = item.Bytes.Span;
        other = lane;
        var end = DtlsRecord.IdAt + lane.IdLength;
        if (datagram[0] != (byte)ContentType.ConnectionId) { other = lane.Restored.LaneOf(item.Key) ?? lane; }
        else if (lane.IdLength > 0 && datagram.Length > end) { other = lane.LaneOf(datagram[DtlsRecord.IdAt..end]); }
        return other != lane;
    }

    private void OpenPlain(in DtlsRecord record, in ChannelKey sender)
    {
        // The answers to a datagram full of hellos would cost more time, and together have more bytes, than one.
        if (record.Type == ContentType.Handshake && !_hasHello && hellos?.TryProcess(record, sender) == true)
        {
            _hasHello = true;
            return;
        }
        if (lane.Pending.TryFind(sender, out var pending)) { pending.OnRecord(record); }
    }

    private void OpenById(in DtlsRecord record, in ChannelKey sender)
    {
        if (lane.Peers.TryFindById(record.ConnectionId, out var peer)) { Open(peer, record, sender); }
        else if (lane.Pending.TryFindById(record.ConnectionId, out var pending)) { pending.OnRecord(record); }
        else { DtlsMetrics.Drop("no_session"); }
    }

    private void OpenByAddress(in DtlsRecord record, in ChannelKey sender)
    {
        // While a new handshake runs, the earlier session goes on. Only the handshake expects handshake messages.
        var isPending = lane.Pending.TryFind(sender, out var pending);
        if (isPending && record.Type == ContentType.Handshake) { pending!.OnRecord(record); }
        else if (lane.Peers.TryFindByAddress(sender, out var peer)) { Open(peer, record, sender); }
        else if (isPending) { pending!.OnRecord(record); }
        else { DtlsMetrics.Drop("no_session"); }
    }

    private void Open(SecuredPeer peer, in DtlsRecord record, in ChannelKey sender)
    {
        var size = DtlsRecord.HeaderLength + record.ConnectionId.Length + record.Body.Length;
        var verdict = peer.Session.Open(lane.Cipher, record, out var type, out var content);
        if (verdict < RecordVerdict.Late)
        {
            DtlsMetrics.Drop(ReasonOf(verdict));
            return;
        }
        lane.Peers.Hear(peer, lane.Now);
        if (peer.Sent is { } sent)
        {
            sent.Hear();
            if (type != ContentType.Alert) { lane.Calls.OnAnswered(peer); }
        }
        if (verdict == RecordVerdict.Newest) { lane.Paths.OnNewest(peer, sender, size); }
        switch (type)
        {
            case ContentType.ApplicationData:
                peer.LastFlight = null;
                if (lane.Paths.TryProcess(peer, content, sender) || lane.Freshness.Holds(peer, content)) { break; }
                PathCheck.VoidIfReset(peer, content);
                Deliver(peer, content, sender);
                break;
            case ContentType.Alert when Alert.TryRead(content, out var alert):
                OnAlert(peer, alert);
                break;
            case ContentType.Handshake when !content.IsEmpty:
                OnHandshake(peer, (HandshakeType)content[0]);
                break;
            case ContentType.ReturnRoutabilityCheck:
                lane.Paths.OnMessage(peer, content, sender);
                break;
        }
    }

    private static string ReasonOf(RecordVerdict verdict) => verdict switch
    {
        RecordVerdict.Replayed => "replayed",
        RecordVerdict.TooLong => "too_long",
        _ => "not_authentic",
    };

    private void Deliver(SecuredPeer peer, Span<byte> content, in ChannelKey sender)
    {
        peer.Sent?.Receive(content);
        var at = content.IsEmpty ? 0 : (int)Unsafe.ByteOffset(ref _buffer[0], ref MemoryMarshal.GetReference(content));
        Out.Emit(new Frame(new ChannelKey(peer.Identity.Peer, sender.Local), _buffer.AsMemory(at, content.Length)) { Credentials = peer.Credentials });
    }

    // The peer repeats its Finished if ours is lost. Its wish to begin anew is refused.
    private void OnHandshake(SecuredPeer peer, HandshakeType type)
    {
        if (type == HandshakeType.Finished && peer.LastFlight is { } flight)
        {
            if (!peer.Path.TryGetReceiver(out var receiver)) { return; }
            foreach (var datagram in flight.Repeat(peer.Session, lane.Cipher, lane.ForHandshakes, lane.Now.Ticks))
            {
                lane.Send(receiver, datagram);
            }
        }
        else if (type == (peer.IsClient ? HandshakeType.ClientHello : HandshakeType.HelloRequest))
        {
            lane.Send(peer, ContentType.Alert, new Alert(IsFatal: false, AlertDescription.NoRenegotiation).ToBytes());
        }
    }

    private void OnAlert(SecuredPeer peer, Alert alert)
    {
        if (alert is { IsFatal: false, Description: not AlertDescription.CloseNotify }) { return; }
        // A close_notify must be answered, a fatal alert must not (RFC 5246, section 7.2).
        if (!alert.IsFatal) { lane.Send(peer, ContentType.Alert, alert.ToBytes()); }
        else { lane.Source.OnFatalAlert(peer); }
        lane.Remove(peer);
    }
}
