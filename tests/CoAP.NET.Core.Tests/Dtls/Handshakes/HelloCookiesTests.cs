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

    [Fact]
    public void An_invented_cookie_is_hardly_ever_likely_and_never_valid()
    {
        var cut = new HelloCookies([1, 2, 3], Lifetime);
        var (random, cookie, likely) = (new Random(7), new byte[HelloCookies.Length], 0);

        for (var attempt = 0; attempt < 65_536; attempt++)
        {
            random.NextBytes(cookie);
            if (cut.IsLikely(Peer, cookie)) { likely++; }
            cut.IsValid(Peer, [7], now: 0, cookie).Should().BeFalse();
        }

        likely.Should().BeLessThan(12, "one in 65,536 is expected");
    }

    [Fact]
    public void A_cookie_is_likely_at_its_address_only_also_when_it_has_expired()
    {
        var cut = new HelloCookies([1, 2, 3], Lifetime);
        var cookie = new byte[HelloCookies.Length];
        cut.Write(Peer, [7], now: 0, cookie);

        cut.IsLikely(Peer, cookie).Should().BeTrue();
        cut.IsLikely(PeerIdentity.FromIPv4(0x0A000001, 5001), cookie).Should().BeFalse();
        cut.IsLikely(PeerIdentity.FromIPv4(0x0A000002, 5000), cookie).Should().BeFalse();
        cut.IsLikely(Peer, cookie.AsSpan(0, 15)).Should().BeFalse();
    }
}
