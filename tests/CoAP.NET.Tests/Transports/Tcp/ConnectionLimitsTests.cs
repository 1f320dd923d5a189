using System.Net;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class ConnectionLimitsTests
{
    [Fact]
    public void A_connection_that_ends_makes_room()
    {
        var cut = new ConnectionLimits(maxConnections: 2, maxPerAddress: 2);

        cut.TryEnter(Peer("192.0.2.1"), out _).Should().BeTrue();
        cut.TryEnter(Peer("192.0.2.2"), out _).Should().BeTrue();
        cut.TryEnter(Peer("192.0.2.3"), out var limit).Should().BeFalse();
        cut.Leave(Peer("192.0.2.1"));
        cut.TryEnter(Peer("192.0.2.3"), out _).Should().BeTrue();

        limit.Count.Should().Be(2);
        cut.Count.Should().Be(2);
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", false)]
    [InlineData("192.0.2.1", "192.0.2.2", true)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", false)]
    [InlineData("2001:db8::1", "2001:db8::2:3:4:5", false)]
    [InlineData("2001:db8::1", "2001:db8:0:1::1", true)]
    [InlineData("::1", "127.0.0.1", true)]
    public void One_address_or_one_network_of_IPv6_has_a_limit_of_its_own(string first, string second, bool isAnother)
    {
        var cut = new ConnectionLimits(maxConnections: 10, maxPerAddress: 1);

        cut.TryEnter(Peer(first), out _).Should().BeTrue();

        cut.TryEnter(Peer(second), out _).Should().Be(isAnother);
    }

    [Fact]
    public void Threads_have_a_lower_limit()
    {
        var settings = new TcpSettings { MaxConnections = 5, MaxConnectionThreads = 1 };
        var cut = new ConnectionLimits(settings, areBlocking: true);

        cut.TryEnter(Peer("192.0.2.1"), out _).Should().BeTrue();

        cut.TryEnter(Peer("192.0.2.2"), out var limit).Should().BeFalse();
        limit.Count.Should().Be(1);
    }

    private static PeerIdentity Peer(string address) => PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683));
}
