using System.Security.Cryptography;
using CoAP.Channels;
using CoAP.Freshness;
using CoAP.Options;

namespace CoAP.Handlers;

/// <summary>The Echo values of an endpoint: one secret and one scale of time for all of its lanes.</summary>
internal sealed class EndpointEchoes(CoapEndpointSettings settings)
{
    private readonly EchoIssuer _issuer = new(settings.Freshness.KeyLifetime, RandomNumberGenerator.Fill);
    private readonly TimeProvider _time = settings.TimeProvider;
    private readonly long _origin = settings.TimeProvider.GetTimestamp();

    /// <summary>4.01 with a new value. No cache keeps it: with the Echo option, which is in no cache key, the next request is the same to a cache.</summary>
    public CoapResponse Challenge(in PeerIdentity peer, LaneContext lane) =>
        new(ResponseCode.Unauthorized) { Options = [new MaxAge(0), Mint(peer, lane)] };

    public Echo Mint(in PeerIdentity peer, LaneContext lane) => _issuer.Issue(peer, NowOf(lane));

    /// <inheritdoc cref="EchoIssuer.TryVerify"/>
    public bool TryVerify(ReadOnlySpan<byte> value, in PeerIdentity peer, LaneContext lane, out long age) =>
        _issuer.TryVerify(value, peer, NowOf(lane), out age);

    // Each lane counts from its own beginning.
    private long NowOf(LaneContext lane)
    {
        var offset = (long)((Int128)(lane.Origin - _origin) * TimeSpan.TicksPerSecond / _time.TimestampFrequency);
        return Math.Max(0, lane.Now + offset);
    }
}
