using System.Net;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class ConnectionLimitsTests
{
    [Fact]
    public void A_connection_that_ends_makes_room()
    {
        var cut = Limits(2);
        cut.TryEnter(Peer("192.0.2.1"), out var place, out _).Should().BeTrue();
        cut.TryEnter(Peer("192.0.2.2"), out _, out _).Should().BeTrue();
        cut.TryEnter(Peer("192.0.2.3"), out _, out var limit).Should().BeFalse();

        place!.Leave();
        place.Leave();
        cut.TryEnter(Peer("192.0.2.3"), out _, out _).Should().BeTrue();

        limit.Should().Be(new ConnectionLimit(0, Account.Of(Peer("192.0.2.3")), 2, "MaxConnections"));
        cut.Count.Should().Be(2);
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", false)]
    [InlineData("192.0.2.1", "192.0.2.2", true)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", false)]
    [InlineData("2001:db8::1", "2001:db8::2:3:4:5", false)]
    [InlineData("2001:db8::1", "2001:db8:0:1::1", true)]
    [InlineData("::1", "127.0.0.1", true)]
    public void One_address_or_one_network_of_IPv6_gets_half(string first, string second, bool isAnother)
    {
        var cut = Limits(10);
        for (var i = 0; i < 5; i++) { cut.TryEnter(Peer(first), out _, out _).Should().BeTrue(); }
        cut.TryEnter(Peer(first), out _, out _).Should().BeFalse();

        cut.TryEnter(Peer(second), out _, out _).Should().Be(isAnother);
    }

    [Fact]
    public void Threads_have_a_lower_limit()
    {
        var cut = ServerLimits.Of(new TcpSettings { MaxConnections = 5, MaxConnectionThreads = 1 }, isBlocking: true);

        cut.TryEnter(Peer("192.0.2.1"), out _, out _).Should().BeTrue();

        cut.TryEnter(Peer("192.0.2.2"), out _, out var limit).Should().BeFalse();
        limit.Count.Should().Be(1);
    }

    private static ConnectionLimits Limits(int most) => ServerLimits.Of(new TcpSettings { MaxConnections = most });

    private static PeerIdentity Peer(string address) => PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683));
}
