using CoAP.Lanes;
using CoAP.Options;
using CoAP.Runtimes;

namespace CoAP.Freshness;

/// <summary>Creates and verifies the Echo values of an endpoint. All lanes share one secret and one time scale.</summary>
internal sealed class EndpointEchoes(FreshnessSettings settings, TimeProvider time, EndpointRuntime runtime)
{
    private readonly TimeProvider _time = time;
    private readonly EchoIssuer _issuer = new(settings.KeyLifetime, runtime.FillRandom);
    private readonly long _origin = time.GetTimestamp();

    /// <summary>Returns a 4.01 with a new value. It must not be cached: Echo is not part of the cache key, so a cache would return it again.</summary>
    public CoapResponse Challenge(in PeerIdentity peer, Lane lane) =>
        new(ResponseCode.Unauthorized) { Options = [new MaxAge(0), Mint(peer, lane)] };

    /// <summary>Returns a new value for a peer.</summary>
    public Echo Mint(in PeerIdentity peer, Lane lane) => _issuer.Issue(peer, NowOf(lane));

    /// <inheritdoc cref="EchoIssuer.TryVerify"/>
    public bool TryVerify(ReadOnlySpan<byte> value, in PeerIdentity peer, Lane lane, out long age) =>
        _issuer.TryVerify(value, peer, NowOf(lane), out age);

    // The time of each lane has its own origin.
    private long NowOf(Lane lane)
    {
        var offset = (long)((Int128)(lane.Origin - _origin) * TimeSpan.TicksPerSecond / _time.TimestampFrequency);
        return Math.Max(0, lane.Now + offset);
    }
}
