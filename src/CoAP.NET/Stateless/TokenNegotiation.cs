using System.Security.Cryptography;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Stateless;

/// <summary>Finds out which token lengths peers take: by their CSM, over datagrams by trial (RFC 8974, section 2.2).</summary>
internal sealed class TokenNegotiation(TimeProvider time)
{
    // The application names the peers, so this bounds what it can make itself remember.
    private readonly TokenSupport _support = new(capacity: 4096);

    /// <summary>Whether the peer takes tokens of this length; nothing where <see cref="Trial"/> has to be sent first.</summary>
    public bool? Find(IChannel channel, int length)
    {
        if (channel is ChannelHandle { IsReliable: true } connection) { return connection.PeerMaxTokenLength is { } most ? length <= most : null; }
        lock (_support) { return _support.Find(channel.Peer, length, Now); }
    }

    /// <summary>The request that section 2.2.2 proposes. On a connection any response will do: the peer's CSM comes before it.</summary>
    public static CoapRequest Trial(IChannel channel, int length) => new(RequestCode.Get)
    {
        Options = [new IfNoneMatch()],
        Token = channel.IsReliable ? null : new Token(RandomNumberGenerator.GetBytes(length)),
    };

    /// <summary>The trial's response is here.</summary>
    public bool Learn(IChannel channel, int length, CoapResponse response)
    {
        if (channel.IsReliable) { return Find(channel, length) ?? false; }
        // 4.00 is what a server answers that knows extended tokens and will never take one of this length.
        if (response.Code == ResponseCode.BadRequest) { return Refuse(channel, length, hasAnswered: true); }
        lock (_support) { _support.Confirm(channel.Peer, length, Now); }
        return true;
    }

    /// <summary>The trial was rejected, or nobody answered.</summary>
    public bool Learn(IChannel channel, int length, CoapException failure) => Refuse(channel, length, failure is CoapResetException);

    /// <summary>Whether a failed trial says something of the peer.</summary>
    public static bool IsTelling(CoapException failure) => failure is CoapResetException or CoapTimeoutException;

    private long Now => time.GetElapsedTime(0, time.GetTimestamp()).Ticks;

    private bool Refuse(IChannel channel, int length, bool hasAnswered)
    {
        lock (_support) { _support.Refuse(channel.Peer, length, Now, hasAnswered); }
        return false;
    }
}
