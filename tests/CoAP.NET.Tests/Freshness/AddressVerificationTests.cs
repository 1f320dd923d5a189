using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Freshness;

public sealed class AddressVerificationTests : IDisposable
{
    private readonly LaneEnd _server = LaneEnd.Server(new Wire(new ManualClock()), _ => { });

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("127.0.0.1", true), InlineData("127.255.0.9", true), InlineData("::1", true), InlineData("::ffff:127.0.0.1", true)]
    [InlineData("192.0.2.1", false), InlineData("::2", false), InlineData("fe80::1", false), InlineData("128.0.0.1", false)]
    public void Loopback_addresses_are_exempt_by_default(string address, bool isExempt)
    {
        var peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683));

        _server.Lane.Addresses!.AllowanceFor(peer, 20).Should().Be(isExempt ? int.MaxValue : 136);
    }

    [Theory]
    [InlineData(45, 136), InlineData(46, 138), InlineData(1000, 3000)]
    public void An_unverified_address_gets_three_times_its_datagram_or_136_bytes(int datagram, int allowance)
    {
        var peer = PeerIdentity.From(IPEndPoint.Parse("192.0.2.1:5683"));

        _server.Lane.Addresses!.AllowanceFor(peer, datagram).Should().Be(allowance);
    }

    [Fact]
    public void A_verified_address_is_one_with_its_port()
    {
        var addresses = _server.Lane.Addresses!;

        addresses.Verify(PeerIdentity.From(IPEndPoint.Parse("192.0.2.1:5683")));

        addresses.IsVerified(PeerIdentity.From(IPEndPoint.Parse("192.0.2.1:5683"))).Should().BeTrue();
        addresses.IsVerified(PeerIdentity.From(IPEndPoint.Parse("192.0.2.1:5684"))).Should().BeFalse();
    }

    [Fact]
    public void A_handler_learns_whether_the_address_of_the_peer_may_be_forged()
    {
        var (wire, seen) = (new Wire(new ManualClock()), new List<bool>());
        using var server = LaneEnd.Server(wire, Map, new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        using var client = ScriptedPeer.Client(wire);

        client.Send("CON [0x0001] GET /r");
        client.Expect("ACK [0x0001] 2.05 Content {Content-Format: 0} 'x'");
        server.Lane.Addresses!.Verify(client.Self);
        client.Send("CON [0x0002] GET /r");
        client.Expect("ACK [0x0002] 2.05 Content {Content-Format: 0} 'x'");

        seen.Should().Equal(false, true);

        void Map(ResourceMap map) => map.At("r").Get(
            request =>
            {
                seen.Add(request.IsPeerVerified);
                return Response.Content("x");
            }, HandlerMode.Inline);
    }

    [Fact]
    public void An_endpoint_that_serves_nothing_remembers_nobody()
    {
        using var client = LaneEnd.Client(new Wire(new ManualClock()));

        client.Lane.Addresses.Should().BeNull();
    }

    [Fact]
    public void Settings_have_bounds()
    {
        Action[] wrong =
        [
            () => _ = new AmplificationSettings { MinAllowance = 31 },
            () => _ = new AmplificationSettings { Factor = 0 },
            () => _ = new AmplificationSettings { VerificationLifetime = TimeSpan.Zero },
            () => _ = new AmplificationSettings { MaxVerifiedPeers = 3 },
            () => _ = new FreshnessSettings { KeyLifetime = TimeSpan.FromMilliseconds(999) },
            () => _ = new FreshnessSettings { EchoLifetime = TimeSpan.FromTicks(-1) },
        ];

        wrong.Should().AllSatisfy(act => act.Should().Throw<ArgumentOutOfRangeException>());
    }
}
