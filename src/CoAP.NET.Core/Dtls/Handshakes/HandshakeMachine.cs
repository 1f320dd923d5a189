using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>One handshake of a client or a server, without sockets and clock (RFC 6347, section 4.2).</summary>
/// <remarks>
/// <code>
/// OnRecord ──► messages, in order ──NextMessage──► IHandshake, on a worker ──OnFed──► flight ──NextDatagram──► peer
///                                                                                      └─ OnDeadline: again
/// </code>
/// Not safe for concurrent use. While a worker computes, records are collected and nothing else happens.
/// </remarks>
internal sealed class HandshakeMachine
{
    private const int MostEarly = 4;        // records of the new epoch that arrive before its keys are known
    private const int LeastRoom = 32;       // for a Finished

    // A path may lose large datagrams silently (RFC 6347, section 4.1.1.1). All paths of IPv4 take packets of 576 bytes, with 28 bytes of headers.
    private const int RetransmissionsBeforeSmall = 2, SmallDatagram = 548;

    private readonly IHandshake _handshake;
    private readonly IRecordCipher _cipher;
    private readonly HandshakeSettings _settings;
    private readonly bool _isServer;
    private readonly HandshakeAssembler _messages;
    private readonly FlightWriter _writer;
    private readonly List<byte[]> _early = [];
    private readonly Queue<ReadOnlyMemory<byte>> _datagrams = new();
    private Flight _flight = new([]);
    private FlightTimer _timer;
    private bool _isComputing;
    private long _sentAt;
    private Alert? _plainAlert;
    private bool _hasUnreadable;    // a record of the new epoch that does not open

    /// <param name="handshake">The computations.</param>
    /// <param name="cipher">The cipher.</param>
    /// <param name="settings">The sizes and times.</param>
    /// <param name="isServer">Whether this side is the server.</param>
    /// <param name="next">The number of the first message: for a server that of the ClientHello with the cookie.</param>
    /// <param name="firstNumber">The number of our first record.</param>
    public HandshakeMachine(
        IHandshake handshake, IRecordCipher cipher, HandshakeSettings settings, bool isServer, ushort next = 0, RecordNumber firstNumber = default)
    {
        (_handshake, _cipher, _settings, _isServer) = (handshake, cipher, settings, isServer);
        _messages = new HandshakeAssembler(next, settings.MaxMessageBytes);
        _writer = new FlightWriter(cipher, firstNumber);
        _timer = new FlightTimer(settings.FlightTimeout, settings.MaxRetransmissions);
    }

    /// <summary>The session, as soon as its keys are known. Application data is allowed when <see cref="IsDone"/>.</summary>
    public DtlsSession? Session => _writer.Session;

    /// <summary>The time in which the peer has answered a flight that was sent once; 0 if it has answered none.</summary>
    public long RoundTrip { get; private set; }

    /// <summary>Whether the handshake has succeeded. A server still repeats its last flight if the client has not received it.</summary>
    public bool IsDone { get; private set; }

    /// <summary>The reason for which the handshake has failed; <see langword="null"/> if it has not failed.</summary>
    public string? Failure { get; private set; }

    /// <summary>Whether the handshake has failed because the peer was silent for too long.</summary>
    public bool HasTimedOut { get; private set; }

    /// <summary>Whether the handshake of a server has failed because the client uses another key.</summary>
    public bool HasRefusedKey { get; private set; }

    /// <summary>The alert of the peer that ended the handshake.</summary>
    public Alert? PeerAlert { get; private set; }

    /// <summary>The time of the next retransmission.</summary>
    public long Deadline => Failure is not null || _isComputing ? long.MaxValue : _timer.Deadline;

    /// <summary>Our last flight, if it ended the handshake: the peer may need it again. <see langword="null"/> if the peer has sent the last one.</summary>
    public LastFlight? LastFlight { get; private set; }

    private bool IsPsk => CipherSuite.Find(ReadSuite(_flight.Find(HandshakeType.ServerHello)))?.KeyExchange is KeyExchange.Psk or KeyExchange.EcdhePsk;

    // Anybody can send a record that does not open, so it counts only if the client answers a repeated flight no better.
    // An attacker who can forge such a record can also forge the alert to the client.
    private bool HasOtherKey =>
        _hasUnreadable && _isServer && _timer.Retransmissions > 0 && IsPsk && !_flight.Find(HandshakeType.ServerHelloDone).IsEmpty;

    /// <summary>Returns the next message of the peer for <see cref="IHandshake"/>, if one is whole. Call <see cref="OnFed"/> when it was processed.</summary>
    public byte[]? NextMessage()
    {
        if (_isComputing || IsDone || Failure is not null || _messages.TakeNext() is not { } message) { return null; }
        _isComputing = true;
        return message;
    }

    /// <summary>
    /// Returns the identity in a message of a client that uses a pre-shared key (RFC 4279, section 2). The identity is sent in the clear, so its key can be
    /// found before the message is processed.
    /// </summary>
    public ReadOnlyMemory<byte>? IdentityIn(byte[] message) => _isServer && IsPsk ? ReadIdentity(message) : null;

    /// <summary>Marks the start of the handshake as a computation in progress. Call <see cref="OnFed"/> when it has ended.</summary>
    public void OnBegun() => _isComputing = true;

    /// <summary>Called when <see cref="IHandshake"/> has processed a message or has begun.</summary>
    /// <param name="failure">Why it has failed; <see langword="null"/> if it has not.</param>
    /// <param name="now">The time.</param>
    public void OnFed(string? failure, long now)
    {
        _isComputing = false;
        if (Session is null && _handshake.Keys is { } keys) { _writer.Session = SessionOf(keys); }
        var output = _handshake.TakeOutput();
        if (failure is not null)
        {
            Fail(failure, output);
            return;
        }
        if (Session is { } session && WhyNoRoom(session) is { } reason)
        {
            Fail(reason, [new(ContentType.Alert, 0, new Alert(IsFatal: true, AlertDescription.HandshakeFailure).ToBytes())]);
            return;
        }
        IsDone = _handshake.IsDone;
        if (output.Count > 0)
        {
            _flight = new Flight(output);
            if (IsDone) { LastFlight = new LastFlight(output, now); }
            _plainAlert = null;
            Send(now);
            if (!IsDone) { _timer.Start(now); }
        }
        if (IsDone)
        {
            _timer.Stop();
            if (LastFlight is { } last) { last.NextPlain = _writer.NextPlain; }
        }
        OpenEarly(now);
    }

    /// <summary>Processes a record of the peer.</summary>
    public void OnRecord(in DtlsRecord record, long now)
    {
        if (Failure is not null) { return; }
        if (record.Number.Epoch == 0) { OnPlain(record, now); }
        else if (Session is not { } session)
        {
            if (_early.Count < MostEarly) { _early.Add(CopyOf(record)); }
        }
        else
        {
            var verdict = session.Open(_cipher, record, out var type, out var content);
            if (verdict >= RecordVerdict.Late) { OnContent(type, content, now); }
            else { _hasUnreadable |= verdict == RecordVerdict.Dropped; }
        }
    }

    /// <summary>Processes the content of an authentic record of the new epoch.</summary>
    public void OnContent(ContentType type, ReadOnlySpan<byte> content, long now)
    {
        if (type == ContentType.Handshake) { OnMessages(content, isProtected: true, now); }
        else if (type == ContentType.Alert && Alert.TryRead(content, out var alert) && !IsDone) { OnAlert(alert); }
    }

    /// <summary>Sends the flight again, or fails, if the deadline has passed.</summary>
    public void OnDeadline(long now)
    {
        if (now < Deadline) { return; }
        if (_plainAlert is { } alert) { OnAlert(alert); }
        else if (HasOtherKey) { RefuseKey(); }
        else if (_timer.TryRetransmit(now)) { Send(now); }
        else
        {
            HasTimedOut = true;
            Fail($"the peer did not answer {_settings.MaxRetransmissions + 1} transmissions of a flight", []);
        }
    }

    /// <summary>Returns the next datagram to send.</summary>
    public bool TryNextDatagram(out ReadOnlyMemory<byte> datagram) => _datagrams.TryDequeue(out datagram);

    private void OnPlain(in DtlsRecord record, long now)
    {
        if (record.Type == ContentType.Handshake) { OnMessages(record.Body, isProtected: false, now); }
        // Anybody can send an alert in the clear. A server ignores it. A client believes it if nothing else arrives before its next retransmission.
        else if (record.Type == ContentType.Alert && !_isServer && Alert.TryRead(record.Body, out var alert) && alert.IsFatal) { _plainAlert = alert; }
    }

    private void OnMessages(ReadOnlySpan<byte> content, bool isProtected, long now)
    {
        _messages.Add(content, isProtected);
        if (_messages.HasSeenNew)
        {
            _plainAlert = null;     // the peer goes on
            if (RoundTrip == 0 && !_isComputing && _timer.Retransmissions == 0) { RoundTrip = now - _sentAt; }
        }
        // The peer retransmits its flight, because ours was lost. Ours is sent again at most as often as the peer's timer fires.
        if (_messages.HasSeenOld && !_isComputing && now - _sentAt >= _settings.FlightTimeout.Ticks / 2) { Send(now); }
    }

    private void OnAlert(Alert alert)
    {
        if (!alert.IsFatal && alert.Description != AlertDescription.CloseNotify) { return; }
        PeerAlert = alert;
        Fail($"the peer ended it with the alert {alert}", []);
    }

    // The alert is the same for a wrong key and for an unknown identity (RFC 4279, section 2), and its time does not depend on the key
    // store.
    private void RefuseKey()
    {
        HasRefusedKey = true;
        Fail("the client's Finished cannot be decrypted",
            [new(ContentType.Alert, 0, new Alert(IsFatal: true, AlertDescription.DecryptError).ToBytes())]);
    }

    private void OpenEarly(long now)
    {
        if (Session is null || _early.Count == 0) { return; }
        byte[][] early = [.. _early];
        _early.Clear();
        foreach (var bytes in early)
        {
            var rest = bytes.AsSpan();
            if (DtlsRecord.TryRead(ref rest, Session.Ids.Own.Length, out var record)) { OnRecord(record, now); }
        }
    }

    private void Fail(string reason, IReadOnlyList<HandshakeOutput> output)
    {
        Failure = reason;
        _timer.Stop();
        _flight = new Flight([.. output.Where(one => one.Type == ContentType.Alert && (one.Epoch == 0 || Session is not null))]);
        Send(now: 0);
    }

    private void Send(long now)
    {
        _sentAt = now;
        var size = _timer.Retransmissions < RetransmissionsBeforeSmall ? _settings.MaxDatagram : Math.Min(_settings.MaxDatagram, SmallDatagram);
        foreach (var datagram in _flight.Write(_writer, size, _handshake.MaxContent)) { _datagrams.Enqueue(datagram); }
    }

    // A connection ID of the peer has up to 255 bytes.
    private string? WhyNoRoom(DtlsSession session)
    {
        var most = Math.Min(_settings.MaxDatagram, session.MaxContent + DtlsRecord.HeaderLength);
        return most - session.LengthOf(0) >= LeastRoom ? null
            : $"the connection ID of the peer has {session.Ids.Peer.Length} bytes, which leaves no room in a datagram of {most} bytes";
    }

    private DtlsSession SessionOf(SessionKeys keys)
    {
        var ids = _handshake is { OwnConnectionId: { } own, PeerConnectionId: { } peer } ? new ConnectionIds(own, peer) : default;
        // A copy, because the computations overwrite theirs when they end.
        return new DtlsSession(keys.Copy(), _isServer, ids) { MaxContent = _handshake.MaxContent, HasRoutabilityCheck = _handshake.HasRoutabilityCheck };
    }

    private static byte[] CopyOf(in DtlsRecord record)
    {
        var copy = new byte[DtlsRecord.HeaderLength + record.ConnectionId.Length + record.Body.Length];
        var head = DtlsRecord.WriteHeader(copy, record.Type, record.Number, record.ConnectionId, record.Body.Length);
        record.Body.CopyTo(copy.AsSpan(head));
        return copy;
    }

    private static ushort ReadSuite(ReadOnlySpan<byte> serverHello)
    {
        const int SessionIdAt = HandshakeHeader.Size + sizeof(ushort) + KeyBlock.RandomLength;
        if (serverHello.Length <= SessionIdAt) { return 0; }
        var suiteAt = SessionIdAt + 1 + serverHello[SessionIdAt];
        return serverHello.Length < suiteAt + sizeof(ushort) ? (ushort)0 : BinaryPrimitives.ReadUInt16BigEndian(serverHello[suiteAt..]);
    }

    // ClientKeyExchange with a pre-shared key begins with the identity, in the clear (RFC 4279, section 2).
    private static ReadOnlyMemory<byte>? ReadIdentity(byte[] message)
    {
        var body = message.AsMemory(HandshakeHeader.Size);
        if (message[0] != (byte)HandshakeType.ClientKeyExchange || body.Length < sizeof(ushort)) { return null; }
        var length = BinaryPrimitives.ReadUInt16BigEndian(body.Span);
        return body.Length < sizeof(ushort) + length ? null : body.Slice(sizeof(ushort), length);
    }
}
