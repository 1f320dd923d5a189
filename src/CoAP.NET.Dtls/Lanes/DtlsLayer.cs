using System.Security.Cryptography;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>DTLS on one endpoint: what its lanes share.</summary>
internal sealed class DtlsLayer : DatagramSecurityLayer
{
    private const int RealType = 1;     // of the content, in a record with a connection ID

    private static readonly TimeSpan CookieLifetime = TimeSpan.FromSeconds(30);

    private readonly List<DtlsLane> _lanes = [];
    private readonly byte[] _cookieKey = RandomNumberGenerator.GetBytes(32);

    public DtlsLayer(DtlsSettings settings, IHandshakeSource source, TimeProvider time, Renewals? renewals = null)
    {
        (Settings, Source, Time, IsServer) = (settings, source, time, source.IsServer);
        Renewals = renewals ?? new Renewals(null, null);
        Journal = settings.SessionStore is { } store ? new SessionJournal(store, OnStoreFailed) : null;
        Format = ConnectionIdFormat.Of(settings);
        ForHandshakes = settings.ForHandshakes();
        Workers = new PooledWorkers(settings.HandshakeThreads, settings.ComputesOnLane);
    }

    protected override void RunBy(NetworkScheduler scheduler)
    {
        Workers.Dispose();
        Workers = new ScheduledWorkers(scheduler);
    }

    public override int Overhead => DtlsRecord.HeaderLength + ConnectionIds.MaxOwnLength + RealType + CipherSuite.Preferred.Max(static suite => suite.Overhead);

    public DtlsSettings Settings { get; }

    public IHandshakeSource Source { get; }

    public bool IsServer { get; }

    public ConnectionIdFormat Format { get; }

    public HandshakeSettings ForHandshakes { get; }

    public HandshakeWorkers Workers { get; private set; }

    public TimeProvider Time { get; }

    /// <summary>Writes to the store of the user; <see langword="null"/> if there is none.</summary>
    public SessionJournal? Journal { get; }

    public RestoredPlaces Restored { get; } = new();

    public LatestSessions Latest { get; } = new();

    public Renewals Renewals { get; }

    public override void Build(LaneBuilder lane, bool isSecuredOnly)
    {
        ArgumentNullException.ThrowIfNull(lane);
        Source.UseLog(lane.Lane.Logger);
        var cookies = new HelloCookies(_cookieKey, CookieLifetime.Ticks);
        _lanes.Add(new DtlsLane(this, lane, (byte)_lanes.Count, cookies, isSecuredOnly));
    }

    /// <exception cref="PlatformNotSupportedException">The system has no OpenSSL 3.</exception>
    public override PeerIdentity IdentityOf(PeerIdentity address, string host)
    {
        OpenSslLibrary.Require();
        return PeerNames.OfServer(address, host);
    }

    public override void Start()
    {
        if (Journal is null || _lanes.Count == 0) { return; }
        var sessions = new List<DtlsSessionState>?[_lanes.Count];
        var dropped = 0;
        var lost = new List<string>();
        foreach (var session in Journal.TakeOver())
        {
            // Sessions of the other role belong to another endpoint that uses the same store.
            if (session.Content.IsServer != IsServer || LaneOf(session.Peer, _lanes.Count) is not { } lane) { continue; }
            if (session.Content.Ids.Own.Length is > 0 and var length && length != Format.Length)
            {
                Journal.Remove(session.Id, session.Generation);
                dropped++;
                continue;
            }
            if (session.Content.LostZone is { } zone)
            {
                Journal.Remove(session.Id, session.Generation);
                lost.Add(zone);
                continue;
            }
            _lanes[lane].Announce(session.Content);
            (sessions[lane] ??= []).Add(session);
        }
        for (var lane = 0; lane < sessions.Length; lane++)
        {
            if (sessions[lane] is { } own) { _lanes[lane].Restore(own); }
        }
        if (dropped > 0) { _lanes[0].Lane.Post(() => _lanes[0].Log.SessionsDropped(dropped, Format.Length)); }
        if (lost.Count > 0) { _lanes[0].Lane.Post(() => _lanes[0].Log.SessionsLost(lost)); }
    }

    public override PeerCredentials? CredentialsOf(in ChannelKey peer)
    {
        // The session of an earlier run may still wait for its turn.
        return LaneAt(peer.Peer) is { } lane && (lane.Peers.TryFind(peer, out var found) || (lane.TryContinue(peer) && lane.Peers.TryFind(peer, out found)))
            ? found.Credentials : null;
    }

    public override Task CompleteAsync() => Journal?.CompleteAsync(Time) ?? Task.CompletedTask;

    public override int? LaneOf(PeerIdentity peer, int lanes) =>
        PeerNames.TryReadClient(peer, out _, out var id) ? Format.LaneOf(id) % lanes
        : PeerNames.TryReadServer(peer, out _, out _) ? (int)(peer.Hash(0) % (ulong)lanes)
        : null;

    /// <summary>The number of sessions of all lanes. A lane counts those of the others as they were at some time.</summary>
    public int CountSessions() => _lanes.Sum(static lane => lane.Peers.Count);

    /// <summary>The number of handshakes in progress of all lanes.</summary>
    public int CountHandshakes() => _lanes.Sum(static lane => lane.Pending.Count);

    /// <summary>Returns the lane of a connection ID of ours.</summary>
    public DtlsLane LaneOf(ReadOnlySpan<byte> id) => _lanes[Format.LaneOf(id) % _lanes.Count];

    private void OnStoreFailed(Exception exception)
    {
        if (_lanes.Count > 0) { _lanes[0].Lane.Post(() => _lanes[0].Log.StoreFailed(exception)); }
    }

    /// <summary>Returns the lane of a peer; <see langword="null"/> if the peer is not one of this layer.</summary>
    public DtlsLane? LaneAt(in PeerIdentity peer) => LaneOf(peer, _lanes.Count) is { } number ? _lanes[number] : null;

    public override void Dispose()
    {
        Workers.Dispose();
        Source.Dispose();
        base.Dispose();
    }
}
