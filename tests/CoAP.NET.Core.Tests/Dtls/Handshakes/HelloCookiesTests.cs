using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class HelloCookiesTests
{
    private const long Lifetime = 1000;

    private static readonly PeerIdentity Peer = PeerIdentity.FromIPv4(0x0A000001, 5000);

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_cookie_belongs_to_an_address_and_a_hello()
    {
        var cut = new HelloCookies([1, 2, 3], Lifetime);
        var cookie = new byte[HelloCookies.Length];
        cut.Write(Peer, [7, 8], now: 0, cookie);

        cut.IsValid(Peer, [7, 8], now: 10, cookie).Should().BeTrue();
        cut.IsValid(PeerIdentity.FromIPv4(0x0A000001, 5001), [7, 8], 10, cookie).Should().BeFalse();
        cut.IsValid(PeerIdentity.FromIPv4(0x0A000002, 5000), [7, 8], 10, cookie).Should().BeFalse();
        cut.IsValid(Peer, [7, 9], 10, cookie).Should().BeFalse();
        cut.IsValid(Peer, [7, 8], 10, []).Should().BeFalse();
        new HelloCookies([1, 2, 4], Lifetime).IsValid(Peer, [7, 8], 10, cookie).Should().BeFalse();
        new HelloCookies([1, 2, 3], Lifetime).IsValid(Peer, [7, 8], 10, cookie).Should().BeTrue("servers can share the key");
    }

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_cookie_is_valid_for_one_to_two_lifetimes()
    {
        var cut = new HelloCookies([1, 2, 3], Lifetime);
        var cookie = new byte[HelloCookies.Length];
        cut.Write(Peer, [7], now: 999, cookie);

        cut.IsValid(Peer, [7], now: 1999, cookie).Should().BeTrue();
        cut.IsValid(Peer, [7], now: 2000, cookie).Should().BeFalse();
    }
}
