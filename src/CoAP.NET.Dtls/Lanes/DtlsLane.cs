using System.Net.Sockets;
using System.Security.Cryptography;
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
internal sealed class DtlsLane : IDisposable
{
    private const int ServerId = 8;
    private const int MostFormer = 1024;
    private const int MostHandedOver = 4096;    // anybody can send records with the number of another lane
    private static readonly TimeSpan Refresh = TimeSpan.FromSeconds(10);

    private readonly DtlsLayer _layer;
    private readonly Output<Frame> _wire = new();
    private readonly Dictionary<ChannelKey, SentMessages> _former = [];     // of sessions with servers that have ended
    private OpenSslCipher? _cipher;
    private readonly LaneTimer _sweep;
    private readonly OpenStage _open;
    private byte[] _buffer = new byte[256];
    private int _handedOver;

    /// <param name="layer">What the lanes share.</param>
    /// <param name="builder">Links the stages.</param>
    /// <param name="number">The number of the lane, which the first byte of its connection IDs contains.</param>
    /// <param name="cookies">The cookies of a server.</param>
    /// <param name="isSecuredOnly">Whether the lane has no plain datagrams.</param>
    public DtlsLane(DtlsLayer layer, LaneBuilder builder, byte number, HelloCookies cookies, bool isSecuredOnly)
    {
        (_layer, Lane, Number) = (layer, builder.Lane, number);
        (Log, Pending) = (new DtlsLog(Lane), new PendingHandshakes());
        _sweep = Lane.CreateTimer(Sweep);
        _open = new OpenStage(this, layer.IsServer ? new HelloGate(this, cookies) : null, isSecuredOnly);
        builder.Insert(MeshArrow.DatagramsIn, _open);
        builder.Insert(MeshArrow.DatagramsOut, new SealStage(this));
        builder.AddSource(MeshArrow.DatagramsOut, _wire);
        builder.OnUndelivered(OnUndelivered);
    }

    public ILane Lane { get; }

    public byte Number { get; }

    public DtlsLog Log { get; }

    public SecuredPeers Peers { get; } = new();

    public PendingHandshakes Pending { get; }

    public IRecordCipher Cipher => _cipher ??= new OpenSslCipher();

    public TimeSpan Now => Lane.Now;

    public DtlsSettings Settings => _layer.Settings;

    public HandshakeSettings ForHandshakes => _layer.ForHandshakes;

    public HandshakeWorkers Workers => _layer.Workers;

    public IHandshakeSource Source => _layer.Source;

    /// <summary>The length of our connection IDs in bytes. It is not on the wire, so all have the same.</summary>
    public int IdLength => Settings.ConnectionIdLength ?? 0;

    /// <summary>Takes over a datagram that another lane has received. Drops it if too many wait. May be called from any lane.</summary>
    public void HandOver(in Frame datagram)
    {
        var kept = new Frame(datagram.Key, datagram.Bytes.ToArray());
        if (Interlocked.Increment(ref _handedOver) > MostHandedOver)
        {
            Interlocked.Decrement(ref _handedOver);
            DtlsMetrics.Dropped.Add(1);
            return;
        }
        Lane.Post(() =>
        {
            Interlocked.Decrement(ref _handedOver);
            _open.Open(kept);
        });
    }

    /// <summary>Records the sender of the newest record of a session.</summary>
    public void Locate(SecuredPeer peer, in ChannelKey sender, int bytes)
    {
        if (peer.Path.Hear(sender, bytes))
        {
            DtlsMetrics.Moved.Add(1);
            Lane.Distrust(peer.Identity.Peer);
            peer.VerifiedAt = null;
        }
        else if (!peer.Path.IsTrying && (peer.VerifiedAt is not { } last || Now - last >= Refresh))
        {
            Lane.Verify(peer.Identity.Peer);
            peer.VerifiedAt = Now;
        }
    }

    /// <summary>Takes over a new address that the message has proven with an Echo option or a token of ours.</summary>
    public void Trust(SecuredPeer peer)
    {
        if (peer.Path.IsTrying && Lane.IsVerified(peer.Identity.Peer)) { peer.Path.Prove(); }
    }

    /// <summary>Returns another lane of the endpoint.</summary>
    public DtlsLane? LaneAt(byte number) => _layer.LaneAt(number);

    /// <summary>Creates an unpredictable ID that begins with the number of the lane.</summary>
    public ReadOnlyMemory<byte> NewId(int length)
    {
        var id = RandomNumberGenerator.GetBytes(length);
        if (length > 0) { id[0] = Number; }
        return id;
    }

    /// <summary>Our connection ID for a handshake; <see langword="null"/> if none are used.</summary>
    public ReadOnlyMemory<byte>? NewConnectionId()
    {
        if (Settings.ConnectionIdLength is not { } length) { return null; }
        var id = NewId(length);
        while (length > 0 && (Peers.TryFindById(id.Span, out _) || Pending.TryFindById(id.Span, out _))) { id = NewId(length); }
        return id;
    }

    /// <summary>Sends a datagram that is not a protected message.</summary>
    public void Send(in ChannelKey address, ReadOnlyMemory<byte> datagram) => _wire.Emit(new Frame(address, datagram));

    /// <summary>Sends the datagrams of a handshake.</summary>
    public void Send(HandshakeMachine machine, in ChannelKey address)
    {
        while (machine.TryNextDatagram(out var datagram)) { Send(address, datagram); }
    }

    /// <summary>Sends a protected record.</summary>
    public void Send(SecuredPeer peer, ContentType type, ReadOnlySpan<byte> content)
    {
        var record = Seal(peer, type, content);
        if (record.Length > 0) { Send(peer.Path.Take(record.Length), record); }
    }

    /// <summary>Protects a message. The result is valid until the next call. It is empty if the session has no record numbers left.</summary>
    public ReadOnlyMemory<byte> Seal(SecuredPeer peer, ContentType type, ReadOnlySpan<byte> content)
    {
        if (peer.Session.IsExhausted) { return default; }
        var length = peer.Session.LengthOf(content.Length);
        if (_buffer.Length < length) { _buffer = new byte[length * 2]; }
        return _buffer.AsMemory(0, peer.Session.Seal(Cipher, type, content, _buffer));
    }

    /// <summary>Begins a session with a server. The message is sent when it has begun.</summary>
    public void Begin(in Frame message, in PeerIdentity address, string host)
    {
        var (identity, place) = (message.Key, new ChannelKey(address, message.Key.Local));
        if (Pending.TryFind(place, out var pending) && pending.Identity.Peer != identity.Peer)
        {
            Lane.Fail(message, new CoapTransportException($"A DTLS handshake with {address} for another host name is in progress. Repeat the request after it."));
            return;
        }
        if (pending is null)
        {
            pending = new PendingHandshake(this, place, charge: null) { Identity = identity, OwnId = NewConnectionId() };
            Pending.Add(pending);
            pending.Begin(new HandshakeStart(pending.OwnId, null, host), default);
        }
        var isRenewed = Peers.TryFind(identity, out _);
        if (isRenewed && !SentMessages.MayRepeat(message.Bytes.Span)) { return; }
        if (_former.TryGetValue(identity, out var former) && former.Forbids(message.Bytes.Span))
        {
            Lane.Fail(message, HandshakeErrors.Ended(address));
            return;
        }
        if (!pending.Held.TryAdd(message) && !isRenewed)
        {
            Lane.Fail(message, new CoapTransportException($"Too many messages wait for the DTLS handshake with {address}."));
        }
    }

    /// <summary>Called when a handshake has failed.</summary>
    public void OnFailed(PendingHandshake pending, string reason, Exception? cause = null)
    {
        Pending.Remove(pending);
        Log.HandshakeFailed(pending.Address.Peer, reason);
        pending.Dispose();
        // A server has no calls to fail. While an earlier session of a client is there, its messages still wait for their answers.
        if (pending.Identity.Peer.IsNone || Peers.TryFind(pending.Identity, out _)) { return; }
        var error = HandshakeErrors.Of(pending, reason, cause);
        foreach (var held in pending.Held.TakeAll()) { Lane.Fail(held, error); }
    }

    /// <summary>Called when a handshake has succeeded.</summary>
    public void OnDone(PendingHandshake pending)
    {
        Pending.Remove(pending);
        if (pending.Identity.Peer.IsNone) { Accept(pending); }
        else
        {
            // The host names of two requests can have the same address. The later session replaces the earlier one.
            if (Peers.TryFind(pending.Identity, out var earlier) || Peers.TryFindByAddress(pending.Address, out earlier)) { Remove(earlier); }
            _former.Remove(pending.Identity, out var former);
            Add(new SecuredPeer(pending.Identity, pending.Address, pending.Machine!.Session!)
            {
                Credentials = pending.Credentials,
                Sent = new SentMessages(),
                Former = former,
            });
        }
        pending.Dispose();
        foreach (var held in pending.Held.TakeAll())
        {
            if (Peers.TryFind(held.Key, out var peer)) { Send(peer, ContentType.ApplicationData, held.Bytes.Span); }
        }
    }

    /// <summary>Removes a session. On a client, the next message or retransmission begins a new one.</summary>
    public void Remove(SecuredPeer peer)
    {
        if (peer.Sent is { } sent)
        {
            if (_former.Count >= MostFormer) { _former.Clear(); }
            _former[peer.Identity] = sent;
        }
        Peers.Remove(peer);
    }

    /// <summary>Tells all peers that their sessions have ended. Called when the lane ends.</summary>
    public void Dispose()
    {
        foreach (var pending in Pending.TakeAll()) { pending.Dispose(); }
        foreach (var peer in Peers.All.ToArray())
        {
            Send(peer, ContentType.Alert, new Alert(IsFatal: false, AlertDescription.CloseNotify).ToBytes());
            Peers.Remove(peer);
        }
        _wire.Complete();
        _cipher?.Dispose();
    }

    private void Accept(PendingHandshake pending)
    {
        var (machine, credentials) = (pending.Machine!, pending.Credentials);
        var id = pending.OwnId is { Length: ServerId } own ? own : NewId(ServerId);
        var identity = new ChannelKey(PeerNames.OfClient(pending.Address.Peer, id.Span), pending.Address.Local);
        var account = Lane.AccountOf(pending.Address.Peer, credentials);
        if (Peers.TryFindByAddress(pending.Address, out var former)) { Peers.Remove(former); }
        // A device that has restarted has forgotten its session.
        else if (Peers.NewestOf(account) is { } same && same.Path.Proven.Peer == pending.Address.Peer) { Peers.Remove(same); }
        var charge = Lane.TryCharge(LedgerResource.Sessions, account);
        if (charge is null && Peers.OldestOf(account) is { } oldest)
        {
            Peers.Remove(oldest);
            charge = Lane.TryCharge(LedgerResource.Sessions, account);
        }
        if (charge is null)
        {
            Log.HandshakeFailed(pending.Address.Peer, "there is no room for another session (MaxSessions)");
            return;
        }
        Add(new SecuredPeer(identity, pending.Address, machine.Session!) { Credentials = credentials, Charge = charge, LastFlight = machine });
        Lane.Verify(identity.Peer);
    }

    private void Add(SecuredPeer peer)
    {
        peer.HeardAt = Now;
        Peers.Add(peer);
        DtlsMetrics.Sessions.Add(1);
        if (!_sweep.IsRunning) { _sweep.Start(Settings.SessionTimeout); }
    }

    private void Sweep()
    {
        while (Peers.Oldest is { } oldest && oldest.HeardAt + Settings.SessionTimeout <= Now) { Peers.Remove(oldest); }
        if (Peers.Oldest is { } next) { _sweep.Start(next.HeardAt + Settings.SessionTimeout - Now); }
    }

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
