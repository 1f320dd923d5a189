using System.Net;
using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise;

/// <summary>What the tests of bodies begin with.</summary>
internal static class Transfers
{
    public const long Lifetime = 247 * TimeSpan.TicksPerSecond;

    public static BodyLimits Limits { get; } = new(MaxBodySize: 1000, MaxBodiesPerPeer: 2, Lifetime, BlockSize.Largest);

    /// <summary>A budget for the lone account of all keys, which gets half of the limit.</summary>
    public static BodyBudget Budget(int bytes = 4000, BodyLimits? limits = null) => new(limits ?? Limits, new LedgerBook(2 * bytes, 2 * bytes));

    public static BodyKey Key(string path = "a", int port = 5000, string? tag = null, CoapCode? method = null, params CoapOption[] more) => new(
        new BodyPeer(new ChannelKey(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port)), default), null),
        method ?? RequestCode.Put,
        [new UriPath(path), .. more, .. tag is null ? Array.Empty<CoapOption>() : [new RequestTag(Convert.FromHexString(tag))]]);

    /// <summary>Bytes of which each tells where it stands, as far as a byte can.</summary>
    public static byte[] Body(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)((i * 7) ^ (i >> 8)))];

    public static Block1 Block(int number, bool hasMore, int size) => new(number, hasMore, BlockSize.AtMost(size).Exponent);
}
