using System.Net;

namespace CoAP.Messages;

public class PeerIdentityTests
{
    [Theory]
    [InlineData("127.0.0.1:5683")]
    [InlineData("[2001:db8::1]:5684")]
    [InlineData("[fe80::1%3]:5683")]
    public void Keeps_the_address(string text)
    {
        var endPoint = IPEndPoint.Parse(text);

        var peer = PeerIdentity.From(endPoint);

        peer.ToIPEndPoint().Should().Be(endPoint);
        peer.Should().Be(PeerIdentity.From(endPoint));
        peer.Hash(7).Should().Be(PeerIdentity.From(endPoint).Hash(7));
    }

    [Fact]
    public void Takes_an_IPv4_address_mapped_into_IPv6_for_the_IPv4_address()
    {
        var mapped = new IPEndPoint(IPAddress.Parse("::ffff:192.0.2.7"), 5683);

        PeerIdentity.From(mapped).Should().Be(PeerIdentity.From(IPEndPoint.Parse("192.0.2.7:5683")));
    }

    [Fact]
    public void Tells_ports_zones_and_names_apart()
    {
        PeerIdentity[] peers =
        [
            default,
            PeerIdentity.From("a"),
            PeerIdentity.From("b"),
            PeerIdentity.From(IPEndPoint.Parse("192.0.2.7:1")),
            PeerIdentity.From(IPEndPoint.Parse("192.0.2.7:2")),
            PeerIdentity.From(IPEndPoint.Parse("[fe80::1%1]:1")),
            PeerIdentity.From(IPEndPoint.Parse("[fe80::1%2]:1")),
        ];

        peers.Distinct().Should().HaveCount(peers.Length);
        peers.Select(peer => peer.Hash(99)).Distinct().Should().HaveCount(peers.Length);
    }
}
