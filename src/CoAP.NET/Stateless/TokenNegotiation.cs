using System.Security.Cryptography;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Stateless;

/// <summary>Finds out which token lengths a peer accepts: from its CSM, or over datagrams by a trial request (RFC 8974, section 2.2).</summary>
internal sealed class TokenNegotiation(TimeProvider time)
{
    // The application chooses the peers, so the capacity only bounds its own memory use.
    private readonly TokenSupport _support = new(capacity: 4096);

    /// <summary>Returns whether the peer accepts tokens of a length, or <see langword="null"/> if <see cref="Trial"/> has to be sent first.</summary>
    public bool? Find(IChannel channel, int length)
    {
        if (channel is ChannelHandle { IsReliable: true } connection) { return connection.PeerMaxTokenLength is { } most ? length <= most : null; }
        lock (_support) { return _support.Find(channel.Peer, length, Now); }
    }

    /// <summary>Returns the trial request (RFC 8974, section 2.2.2). On a connection any request works: the peer's CSM precedes the response.</summary>
    public static CoapRequest Trial(IChannel channel, int length) => new(RequestCode.Get)
    {
        Options = [new IfNoneMatch()],
        Token = channel.IsReliable ? null : new Token(RandomNumberGenerator.GetBytes(length)),
    };

    /// <summary>Learns from the response to the trial. Returns <see langword="true"/> if the peer accepts the length.</summary>
    public bool Learn(IChannel channel, int length, CoapResponse response)
    {
        if (channel.IsReliable) { return Find(channel, length) ?? false; }
        // A server that supports extended tokens but never accepts this length responds with 4.00.
        if (response.Code == ResponseCode.BadRequest) { return Refuse(channel, length, hasAnswered: true); }
        lock (_support) { _support.Confirm(channel.Peer, length, Now); }
        return true;
    }

    /// <summary>Learns from a trial that was rejected or got no response. Returns <see langword="false"/>.</summary>
    public bool Learn(IChannel channel, int length, CoapException failure) => Refuse(channel, length, failure is CoapResetException);

    /// <summary>Returns <see langword="true"/> if a failed trial shows that the peer does not accept the length.</summary>
    public static bool IsConclusive(CoapException failure) => failure is CoapResetException or CoapTimeoutException { EndsCall: false };

    private long Now => time.GetElapsedTime(0, time.GetTimestamp()).Ticks;

    private bool Refuse(IChannel channel, int length, bool hasAnswered)
    {
        lock (_support) { _support.Refuse(channel.Peer, length, Now, hasAnswered); }
        return false;
    }
}
