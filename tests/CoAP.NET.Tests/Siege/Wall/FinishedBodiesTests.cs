using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The finished bodies that a lane remembers (RFC 9177, section 4.3): an account that finishes more than its share displaces its own.</summary>
public sealed class FinishedBodiesTests : IDisposable
{
    private const int Limit = 8;
    private const int Changed = 0x44;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly List<ScriptedPeer> _peers = [];
    private readonly List<string> _bodies = [];
    private int _lastId;

    public FinishedBodiesTests() => _server = LaneEnd.Server(
        _wire,
        map => map.At("path").Put(
            request =>
            {
                _bodies.Add($"{request.Peer}");
                return Response.Changed;
            },
            HandlerMode.Inline),
        new CoapServerSettings { RobustTransfers = new() { MaxFinishedBodies = Limit }, Amplification = new() { IsLimited = false } });

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _server.Dispose();
    }

    [Theory, Trait("RFC", "9177 4.3")]
    [InlineData("192.0.2.1", "192.0.2.1"), InlineData("2001:db8:1:1::1", "2001:db8:1:2::1")]
    public void An_honest_peer_gets_the_same_answer_for_a_repeated_block_while_others_finish_many_bodies(string first, string second)
    {
        var honest = Join("198.51.100.7", 5683);
        Put(honest);
        for (var port = 1; port <= 4 * Limit; port++) { Put(Join(port % 2 == 0 ? first : second, port)); }
        _bodies.Clear();

        Put(honest);

        _bodies.Should().BeEmpty("the block is repeated");
    }

    [Fact, Trait("RFC", "9177 4.3")]
    public void Many_accounts_displace_the_oldest_bodies()
    {
        for (var number = 1; number <= 4 * Limit; number++) { Put(Join($"192.0.2.{number}", 5683)); }
        _bodies.Clear();

        Put(_peers[^1]);
        _bodies.Should().BeEmpty();
        Put(_peers[0]);
        _bodies.Should().ContainSingle();
    }

    [Fact]
    public void The_bodies_are_forgotten_after_a_while()
    {
        for (var port = 1; port <= 4 * Limit; port++) { Put(Join("192.0.2.1", port)); }

        _wire.RunFor(TimeSpan.FromMinutes(10));

        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    private ScriptedPeer Join(string address, int port)
    {
        var peer = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse(address), port));
        _peers.Add(peer);
        return peer;
    }

    // A body of one block: Q-Block1 (19) is 0/0/16.
    private void Put(ScriptedPeer peer)
    {
        peer.Send($"NON [0x{++_lastId:x4}] PUT /path (Token 0xc0) {{19: 0x00, Size1: 4, 292: 0x09}} 'body'");
        peer.TakeAll(seconds: 0);
        WireMessage.Read(peer.Received[^1]).Code.Should().Be(Changed);
    }
}
