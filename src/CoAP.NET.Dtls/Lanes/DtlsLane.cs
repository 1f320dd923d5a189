using System.Net.Sockets;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>DTLS on one lane: its sessions and handshakes.</summary>
/// <remarks>
/// <code>
/// sockets ──DatagramsIn──► OpenStage ──► mesh ──► SealStage ──DatagramsOut──► sockets
///                              │                      │                ▲
///                              └─► PendingHandshake ◄─┘ ──── wire ─────┘
///                                        │ OnDone
///                                        └─► SecuredPeers
/// </code>
/// </remarks>
internal sealed class DtlsLane : IHandshakeLane, IDisposable
{
    // Twice the longest time that a datagram may live in the network (RFC 6347, section 4.2.4).
    private static readonly TimeSpan LifeOfLastFlight = TimeSpan.FromMinutes(4);

    private readonly DtlsLayer _layer;
    private readonly Output<Frame> _wire = new();
    private OpenSslCipher? _cipher;
    private readonly LaneTimer _sweep;
    private readonly SessionKeeper? _keeper;
    private byte[] _buffer = new byte[256];
    private readonly DelayedPeers _begun;

    /// <param name="layer">What the lanes share.</param>
    /// <param name="builder">Links the stages.</param>
    /// <param name="number">The number of the lane, which its connection IDs contain.</param>
    /// <param name="cookies">The cookies of a server.</param>
    /// <param name="isSecuredOnly">Whether the lane has no plain datagrams.</param>
    public DtlsLane(DtlsLayer layer, LaneBuilder builder, byte number, HelloCookies cookies, bool isSecuredOnly)
    {
        (_layer, Lane, Number) = (layer, builder.Lane, number);
        (Log, Pending, Paths, Freshness) = (new DtlsLog(Lane, layer.Time), new PendingHandshakes(layer.ForHandshakes.FlightTimeout), new PathCheck(this), new FreshnessCheck(this));
        (Calls, Clients) = (new ServerCalls(this), new ClientSessions(this, layer));
        _keeper = layer.Journal is { } journal ? new SessionKeeper(this, journal, layer.Time) : null;
        _sweep = Lane.CreateTimer(Sweep);
        _begun = new DelayedPeers(Lane, LifeOfLastFlight, static peer => peer.LastFlight = null);
        var open = new OpenStage(this, layer.IsServer ? new HelloGate(this, cookies) : null, isSecuredOnly);
        Strays = new StrayDatagrams(Lane, open.Open);
        builder.Insert(MeshArrow.DatagramsIn, open);
        builder.Insert(MeshArrow.DatagramsOut, new SealStage(this));
        builder.AddSource(MeshArrow.DatagramsOut, _wire);
        builder.OnUndelivered(OnUndelivered);
        builder.LimitMessages(LimitOf);
        builder.ReportHandshakes(Calls.IsInHandshake);
        builder.ReportSessions(peer => Peers.TryFind(peer, out _), () => Peers.All.Select(static peer => peer.Describe()));
        builder.EndSessions(End);
    }

    public ILane Lane { get; }

    public byte Number { get; }

    public DtlsLog Log { get; }

    public SecuredPeers Peers { get; } = new();

    public PendingHandshakes Pending { get; }

    public PathCheck Paths { get; }

    public FreshnessCheck Freshness { get; }

    public ServerCalls Calls { get; }

    public ClientSessions Clients { get; }

    public StrayDatagrams Strays { get; }

    public RestoredPlaces Restored => _layer.Restored;

    public IRecordCipher Cipher => _cipher ??= new OpenSslCipher();

    public TimeSpan Now => Lane.Now;

    public DtlsSettings Settings => _layer.Settings;

    public HandshakeSettings ForHandshakes => _layer.ForHandshakes;

    public TimeSpan HandshakeTimeout => Settings.HandshakeTimeout;

    public HandshakeWorkers Workers => _layer.Workers;

    public IHandshakeSource Source => _layer.Source;

    /// <summary>The length of our connection IDs in bytes.</summary>
    public int IdLength => _layer.Format.Length;

    /// <summary>Returns the lane of a connection ID of ours.</summary>
    public DtlsLane LaneOf(ReadOnlySpan<byte> id) => _layer.LaneOf(id);

    /// <summary>Whether there is a place for another handshake.</summary>
    public bool HasRoomForHandshake => _layer.CountHandshakes() < Settings.MaxConcurrentHandshakes;

    /// <summary>Whether a client may have another session.</summary>
    public bool HasRoomForSession => _layer.CountSessions() < Settings.MaxSessions;

    /// <summary>Our connection ID for a handshake; <see langword="null"/> if none are used.</summary>
    public ReadOnlyMemory<byte>? NewConnectionId() => Settings.ConnectionIdLength switch
    {
        null => (ReadOnlyMemory<byte>?)null,
        0 => ReadOnlyMemory<byte>.Empty,
        _ => NewId(),
    };

    /// <summary>Creates an ID that no session of the lane has.</summary>
    public ReadOnlyMemory<byte> NewId()
    {
        var id = _layer.Format.Create(Number);
        while (Peers.TryFindById(id, out _) || Pending.TryFindById(id, out _)) { id = _layer.Format.Create(Number); }
        return id;
    }

    /// <summary>Sends a datagram that is not a protected message.</summary>
    public void Send(in ChannelKey address, ReadOnlyMemory<byte> datagram) => _wire.Emit(new Frame(address, datagram));

    /// <summary>Sends a protected record.</summary>
    public void Send(SecuredPeer peer, ContentType type, ReadOnlySpan<byte> content)
    {
        var record = Seal(peer, type, content);
        if (record.Length == 0) { return; }
        if (peer.Path.TryAdd(record.Span, out var unproven)) { Send(unproven, record); }
        if (peer.Path.TryGetReceiver(out var receiver)) { Send(receiver, record); }
    }

    /// <summary>Returns whether a message fits into a record of its session. Otherwise, its call fails.</summary>
    public bool Fits(SecuredPeer peer, in Frame message)
    {
        if (message.Bytes.Length <= peer.Session.MaxMessage) { return true; }
        Lane.Fail(message, new CoapTransportException(
            $"The message has {message.Bytes.Length} bytes, but {peer.Path.Proven.Peer} takes only "
            + $"{peer.Session.MaxMessage} in a DTLS record (RFC 6066, section 4)."));
        return false;
    }

    /// <summary>Draws another challenge of a peer. It must be answered within three round trips if the handshake was slow (RFC 9853, section 5.5).</summary>
    public IReadOnlyList<byte[]> Draw(SecuredPeer peer, FreshnessChallenge challenge)
    {
        var timeout = peer.RoundTrip * 3;
        if (timeout < Settings.PathCheckTimeout) { timeout = Settings.PathCheckTimeout; }
        return challenge.Draw(Now, timeout, peer.Session.HasRoutabilityCheck, id => Lane.IsInUse(peer.Identity, new MessageId(id)));
    }

    /// <summary>Ends a session that has just begun and is not kept, with a fatal alert.</summary>
    public void Refuse(DtlsSession session, in ChannelKey address)
    {
        Send(address, Seal(session, ContentType.Alert, new Alert(IsFatal: true, AlertDescription.InternalError).ToBytes()));
        session.Erase();
    }

    /// <summary>Protects a message. The result is valid until the next call. It is empty if the session has no record numbers left.</summary>
    public ReadOnlyMemory<byte> Seal(SecuredPeer peer, ContentType type, ReadOnlySpan<byte> content) => Seal(peer.Session, type, content);

    private ReadOnlyMemory<byte> Seal(DtlsSession session, ContentType type, ReadOnlySpan<byte> content)
    {
        if (session.IsExhausted) { return default; }
        var length = session.LengthOf(content.Length);
        if (_buffer.Length < length) { _buffer = new byte[length * 2]; }
        return _buffer.AsMemory(0, session.Seal(Cipher, type, content, _buffer));
    }

    /// <summary>Called when a handshake has failed.</summary>
    public void OnFailed(PendingHandshake pending, string reason, Exception? cause = null)
    {
        Pending.Remove(pending);
        var kind = HandshakeErrors.ReasonOf(pending, cause);
        DtlsMetrics.Fail(kind);
        Log.HandshakeFailed(pending.Address.Peer, kind, reason + HandshakeErrors.HintOf(pending));
        pending.Dispose();
        // A server has no calls to fail. If the client still has an earlier session, its messages still wait for answers there.
        if (pending.Identity.Peer.IsNone || Peers.TryFind(pending.Identity, out _)) { return; }
        var error = HandshakeErrors.Of(pending, reason, cause);
        foreach (var held in pending.Held.TakeAll()) { Lane.Fail(held, error); }
    }

    /// <summary>Called when a handshake has succeeded.</summary>
    public void OnDone(PendingHandshake pending)
    {
        Pending.Remove(pending);
        try
        {
            if (pending.Identity.Peer.IsNone) { Clients.Accept(pending); }
            else { Calls.Accept(pending); }
        }
        finally { pending.Dispose(); }
        foreach (var held in pending.Held.TakeAll())
        {
            if (!Peers.TryFind(held.Key, out var peer) || !Fits(peer, held)) { continue; }
            peer.Sent?.Note(held.Bytes.Span, Now);
            Send(peer, ContentType.ApplicationData, held.Bytes.Span);
        }
    }

    /// <summary>Called before the lanes start: the datagrams of a restored session without a connection ID may arrive at another lane.</summary>
    public void Announce(SessionContent session)
    {
        if (session is { IsServer: true, Ids.Own.Length: 0 }) { Restored.Add(SessionKeeper.PlaceOf(session), this); }
    }

    /// <summary>Continues the sessions of an earlier run, soon. Called before the lane starts.</summary>
    public void Restore(List<DtlsSessionState> sessions) => Lane.Post(() => _keeper!.Restore(sessions));

    /// <summary>Continues a session of an earlier run that waits, if there is one.</summary>
    public bool TryContinue(in ChannelKey identity) => _keeper?.TryContinue(identity) == true;

    /// <summary>Continues a session of an earlier run.</summary>
    public void Restore(SecuredPeer peer, TimeSpan heardAt)
    {
        Clients.OnRestored(peer);
        Add(peer, heardAt, isOldest: true);
    }

    /// <summary>Stores a session that was stored before.</summary>
    public void Save(SecuredPeer peer) => _keeper?.Save(peer, isKnown: true);

    /// <summary>Called when a peer has another address.</summary>
    public void OnMoved(SecuredPeer peer, in PeerIdentity from)
    {
        DtlsMetrics.Moved.Add(1);
        try { Settings.OnPeerMoved?.Invoke(new PeerMove(peer.Identity.Peer, peer.Credentials, from, peer.Path.Proven.Peer)); }
        catch (Exception exception) // The edge to the code of the user.
        {
            Log.CallbackFailed(nameof(Settings.OnPeerMoved), exception, peer.Identity.Peer);
        }
    }

    /// <summary>Removes a session. On a client, the next message or retransmission begins a new one.</summary>
    public void Remove(SecuredPeer peer)
    {
        if (peer.Sent is { } sent) { Calls.OnEnded(peer.Identity, sent); }
        Forget(peer);
    }

    /// <summary>Adds a session that has just begun.</summary>
    public void Add(SecuredPeer peer)
    {
        Add(peer, Now, isOldest: false);
        DtlsMetrics.Sessions.Add(1);
        if (peer.LastFlight is not null) { _begun.Add(peer); }
        _keeper?.Save(peer, isKnown: false);
    }

    /// <summary>Ends a session and tells the peer (RFC 5246, section 7.2.1).</summary>
    public void End(SecuredPeer peer)
    {
        SendCloseNotify(peer);
        Remove(peer);
    }

    private void End(ChannelKey identity)
    {
        if (Peers.TryFind(identity, out var peer)) { End(peer); }
    }

    /// <summary>Removes a session.</summary>
    public void Forget(SecuredPeer peer)
    {
        if (peer is { IsClient: true, Credentials: { } credentials }) { _layer.Latest.Remove(credentials, peer.Identity); }
        if (peer.Session.Ids.Own.Length == 0) { Restored.Remove(peer.Address, this); }
        _keeper?.Remove(peer);
        if (peer.HasEnded) { return; }
        Peers.Remove(peer);
        Lane.SessionClosed(peer.Describe());
    }

    /// <summary>Stores the sessions, or tells the peers that they have ended. Called when the lane ends.</summary>
    public void Dispose()
    {
        foreach (var peer in Peers.All.ToArray())
        {
            if (_keeper is not null) { _keeper.Save(peer, isKnown: true); }
            else { SendCloseNotify(peer); }
            Peers.Remove(peer);
            Lane.SessionClosed(peer.Describe());
        }
        foreach (var pending in Pending.TakeAll()) { pending.Dispose(); }
        _wire.Complete();
        _cipher?.Dispose();
    }

    private void SendCloseNotify(SecuredPeer peer)
    {
        if (Calls.IsGivenUp(peer)) { return; }
        Send(peer, ContentType.Alert, new Alert(IsFatal: false, AlertDescription.CloseNotify).ToBytes());
    }

    private void Add(SecuredPeer peer, TimeSpan heardAt, bool isOldest)
    {
        (peer.HeardAt, peer.OpenedAt) = (heardAt, Now);
        Peers.Add(peer, isOldest);
        Lane.SessionOpened(peer.Describe());
        if (isOldest || !_sweep.IsRunning) { _sweep.Start(heardAt + Settings.SessionTimeout - Now); }
    }

    private void Sweep()
    {
        while (Peers.Oldest is { } oldest && oldest.HeardAt + Settings.SessionTimeout <= Now) { End(oldest); }
        if (Peers.Oldest is { } next) { _sweep.Start(next.HeardAt + Settings.SessionTimeout - Now); }
    }

    // A message that waits for its session must fit into the records that the client asks for.
    private int LimitOf(ChannelKey identity, int limit) => Peers.TryFind(identity, out var peer) ? peer.LimitOf(limit)
        : PeerNames.TryReadServer(identity.Peer, out _, out _)
            ? Math.Min(limit, Source.MaxContent + DtlsRecord.HeaderLength - _layer.Overhead)
        : limit;

    // The report may be forged, so it can only end a handshake that has not begun to use keys.
    private void OnUndelivered(Frame datagram, SocketError error)
    {
        if (datagram.Bytes.Span[0] == (byte)ContentType.Handshake && Pending.TryFind(datagram.Key, out var pending) && !pending.Identity.Peer.IsNone
            && pending.Machine?.Session is null)
        {
            var cause = new SocketException((int)error);
            OnFailed(pending, cause.Message, cause);
        }
    }
}
