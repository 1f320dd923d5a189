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
    public void Treats_an_IPv4_address_mapped_into_IPv6_as_the_IPv4_address()
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

    [Theory]
    [InlineData("127.0.0.1:5683", true)]
    [InlineData("127.1.2.3:0", true)]
    [InlineData("[::1]:5683", true)]
    [InlineData("[::ffff:127.0.0.1]:5683", true)]
    [InlineData("192.0.2.7:5683", false)]
    [InlineData("[2001:db8::1]:5683", false)]
    public void Recognizes_loopback_addresses(string endPoint, bool isLoopback) =>
        PeerIdentity.From(IPEndPoint.Parse(endPoint)).IsLoopback.Should().Be(isLoopback);

    [Fact]
    public void A_name_is_no_loopback_address()
    {
        PeerIdentity.From("localhost").IsLoopback.Should().BeFalse();
        PeerIdentity.From("localhost").IsName.Should().BeTrue();
        default(PeerIdentity).IsLoopback.Should().BeFalse();
        default(PeerIdentity).IsName.Should().BeFalse();
    }
}
