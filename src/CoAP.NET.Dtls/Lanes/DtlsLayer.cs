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

    public DtlsLayer(DtlsSettings settings, IHandshakeSource source)
    {
        (Settings, Source, IsServer) = (settings, source, source is ServerHandshakes);
        ForHandshakes = settings.ForHandshakes();
        Workers = new HandshakeWorkers(settings.HandshakeThreads, settings.ComputesOnLane);
    }

    public override int Overhead => DtlsRecord.HeaderLength + ConnectionIds.MaxOwnLength + RealType + CipherSuite.Preferred.Max(static suite => suite.Overhead);

    public DtlsSettings Settings { get; }

    public IHandshakeSource Source { get; }

    public bool IsServer { get; }

    public HandshakeSettings ForHandshakes { get; }

    public HandshakeWorkers Workers { get; }

    public override void Build(LaneBuilder lane, bool isSecuredOnly)
    {
        ArgumentNullException.ThrowIfNull(lane);
        var cookies = new HelloCookies(_cookieKey, CookieLifetime.Ticks);
        _lanes.Add(new DtlsLane(this, lane, (byte)_lanes.Count, cookies, isSecuredOnly));
    }

    /// <exception cref="PlatformNotSupportedException">The system has no OpenSSL 3.</exception>
    public override PeerIdentity IdentityOf(PeerIdentity address, string host)
    {
        OpenSslLibrary.Require();
        return PeerNames.OfServer(address, host);
    }

    public override int? LaneOf(PeerIdentity peer, int lanes) =>
        PeerNames.TryReadClient(peer, out _, out var lane) && lane < lanes ? lane
        : PeerNames.TryReadServer(peer, out _, out _) ? (int)(peer.Hash(0) % (ulong)lanes)
        : null;

    /// <summary>Returns the lane with a number, which the first byte of a connection ID contains; <see langword="null"/> if there is none.</summary>
    public DtlsLane? LaneAt(byte number) => number < _lanes.Count ? _lanes[number] : null;

    public override void Dispose()
    {
        Workers.Dispose();
        base.Dispose();
    }
}
