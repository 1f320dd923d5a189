using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The verified addresses of a lane: an account that verifies more than its share displaces its own.</summary>
public sealed class VerifiedPeersTests : IDisposable
{
    private const int HonestPeers = 50;
    private const int Ports = 65_536;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly List<ScriptedPeer> _honest = [];

    public VerifiedPeersTests() =>
        _server = LaneEnd.Server(_wire, map => map.At("large").Get(static _ => Response.Content(new string('x', 500)), HandlerMode.Inline));

    public void Dispose()
    {
        _honest.ForEach(static peer => peer.Dispose());
        _server.Dispose();
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void An_honest_verified_peer_stays_verified_while_one_address_verifies_65536_ports() =>
        Besiege(static number => new IPEndPoint(IPAddress.Parse("192.0.2.1"), number));

    // An attacker easily gets a /48, which has 65,536 networks.
    [Fact, Trait("RFC", "9175 2.4")]
    public void An_honest_verified_peer_stays_verified_while_one_site_verifies_65536_networks() =>
        Besiege(static number => new IPEndPoint(IPAddress.Parse($"2001:db8:1:{number:x}::1"), 5683));

    [Fact]
    public void Many_devices_behind_one_address_are_verified_at_the_same_time()
    {
        var devices = Enumerable.Range(0, 1000).Select(static number => PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), number))).ToList();

        devices.ForEach(device => _server.Lane.Addresses!.Verify(device));

        devices.Should().OnlyContain(device => _server.Lane.Addresses!.IsVerified(device));
    }

    private void Besiege(Func<int, IPEndPoint> attacker)
    {
        for (var i = 0; i < HonestPeers; i++) { Join(new IPEndPoint(new IPAddress([198, 51, 100, (byte)i]), 5683)); }
        for (var number = 0; number < Ports; number++)
        {
            _server.Lane.Addresses!.Verify(PeerIdentity.From(attacker(number)));
            if (number % 256 == 0) { _wire.RunFor(TimeSpan.FromMilliseconds(100)); }
        }

        foreach (var peer in _honest)
        {
            peer.Send("CON [0x0003] GET /large (Token 0x03)");
            peer.Expect("ACK [0x0003] 2.05 Content (Token 0x03) {Content-Format: 0} '*'");
        }
    }

    private void Join(IPEndPoint address)
    {
        var peer = ScriptedPeer.Client(_wire, address);
        _honest.Add(peer);
        peer.Send("CON [0x0001] GET /large (Token 0x01)");
        peer.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x01) {Max-Age: 0, Echo: E}");
        peer.Send("CON [0x0002] GET /large (Token 0x02) {Echo: E}");
        peer.Expect("ACK [0x0002] 2.05 Content (Token 0x02) {Content-Format: 0} '*'");
    }
}
