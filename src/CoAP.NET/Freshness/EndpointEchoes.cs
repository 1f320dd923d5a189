using System.Security.Cryptography;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Freshness;

/// <summary>The Echo values of an endpoint: one secret and one scale of time for all of its lanes.</summary>
internal sealed class EndpointEchoes(FreshnessSettings settings, TimeProvider time)
{
    private readonly TimeProvider _time = time;
    private readonly EchoMint _mint = new(settings.KeyLifetime, RandomNumberGenerator.Fill);
    private readonly long _origin = time.GetTimestamp();

    /// <summary>4.01 with a new value. No cache keeps it: with the Echo option, which is in no cache key, the next request is the same to a cache.</summary>
    public CoapResponse Challenge(in PeerIdentity peer, LaneContext lane) =>
        new(ResponseCode.Unauthorized) { Options = [new MaxAge(0), Mint(peer, lane)] };

    public Echo Mint(in PeerIdentity peer, LaneContext lane) => _mint.Mint(peer, NowOf(lane));

    /// <inheritdoc cref="EchoMint.TryVerify"/>
    public bool TryVerify(ReadOnlySpan<byte> value, in PeerIdentity peer, LaneContext lane, out long age) =>
        _mint.TryVerify(value, peer, NowOf(lane), out age);

    // Each lane counts from its own beginning.
    private long NowOf(LaneContext lane)
    {
        var offset = (long)((Int128)(lane.Origin - _origin) * TimeSpan.TicksPerSecond / _time.TimestampFrequency);
        return Math.Max(0, lane.Now + offset);
    }
}
