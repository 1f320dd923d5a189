using CoAP.Exchanges;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The bytes of a request stay charged until it has ended and its handler has returned.</summary>
public sealed class HeldBodiesTests : IDisposable
{
    private const int Limit = 64 << 10;

    private static readonly string Block = new('x', 1024);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;

    public HeldBodiesTests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(
            _wire,
            map => map.At("late").Put(_late.HandleAsync),
            new CoapServerSettings { MaxInlinePayload = Limit, ServerTransfers = new() { MaxTotalSize = Limit, MaxBodySize = Limit } });
    }

    private long Used => _server.Lane.Ledger.Bodies.Used;

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void A_body_that_arrived_in_blocks_is_charged_while_its_handler_runs()
    {
        _client.Send($"CON [0x0001] PUT /late (Token 0x01) {{Block1: 0/1/1024}} '{Block}'");
        _client.TakeAll(seconds: 0);
        _client.Send($"CON [0x0002] PUT /late (Token 0x01) {{Block1: 1/1/1024}} '{Block}'");
        _client.TakeAll(seconds: 0);
        _client.Send("CON [0x0003] PUT /late (Token 0x01) {Block1: 2/0/1024} 'end'");
        _client.TakeAll(seconds: 0);
        _late.Calls.Should().Be(1);
        Used.Should().BeInRange(2051, 4096);

        _late.Answer(Response.Changed);
        _client.TakeAll(seconds: 1);
        Used.Should().Be(0);
        _server.Mesh.Completion.IsCompleted.Should().BeFalse();
    }

    [Fact]
    public void A_body_that_arrived_in_robust_blocks_is_charged_while_its_handler_runs()
    {
        _client.Send("NON [0x0001] PUT /late (Token 0x02) {19: 0x26, Size1: 2051, Request-Tag: 0x07} 'end'");
        _client.Send($"NON [0x0002] PUT /late (Token 0x01) {{19: 0x0E, Size1: 2051, Request-Tag: 0x07}} '{Block}'");
        _client.Send($"NON [0x0003] PUT /late (Token 0x01) {{19: 0x1E, Size1: 2051, Request-Tag: 0x07}} '{Block}'");
        _client.TakeAll(seconds: 0);
        _late.Calls.Should().Be(1);
        Used.Should().BeGreaterThanOrEqualTo(1024 + 2051);

        _late.Answer(Response.Changed);
        _client.TakeAll(seconds: 1);
        Used.Should().BeInRange(1024, 1200, "the finished body is remembered with its key, without its bytes");
        _client.TakeAll(seconds: 600);
        Used.Should().Be(0);
    }

    [Fact]
    public void A_payload_that_a_method_must_not_have_and_options_are_charged_as_well()
    {
        using var server = LaneEnd.Member(_wire, "other", map => map.At("late").Get(_late.HandleAsync), new CoapServerSettings());
        _client.TalkTo("other");

        _client.Send($"CON [0x0001] GET /late (Token 0x01) '{Block}'");
        _client.TakeAll(seconds: 0);
        _client.Send($"CON [0x0002] GET /late?{new string('a', 255)}&{new string('b', 255)}&{new string('c', 255)}&{new string('d', 255)} (Token 0x02)");
        _client.TakeAll(seconds: 0);
        server.Lane.Ledger.Bodies.Used.Should().BeGreaterThan(2048);

        _late.Answer(Response.Changed);
        _late.Answer(Response.Changed);
        _client.TakeAll(seconds: 1);
        server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    [Fact]
    public void The_end_of_the_lane_leaves_the_charge_to_the_handler()
    {
        _client.Send($"CON [0x0001] PUT /late (Token 0x01) '{Block}'");
        _client.TakeAll(seconds: 0);
        _server.Dispose();
        Used.Should().BeGreaterThan(1024);

        _late.Answer(Response.Changed);
        Used.Should().Be(0);
    }

    [Fact]
    public void The_charge_of_a_request_that_has_ended_is_not_released_again()
    {
        IncomingRequest ended = null!;
        using var server = LaneEnd.Member(
            _wire, "other", map => map.At("late").Put((request, cancellationToken) => _late.HandleAsync(ended = request, cancellationToken)), new CoapServerSettings());
        _client.TalkTo("other");
        _client.Send($"CON [0x0001] PUT /late (Token 0x01) '{Block}'");
        _client.TakeAll(seconds: 0);
        _late.Answer(Response.Changed);
        _client.TakeAll(seconds: 1);
        server.Lane.Ledger.Bodies.Used.Should().Be(0);

        var held = new HeldRequest(server.Lane, ended);
        held.Close();
        held.Release();

        server.Lane.Ledger.Bodies.Used.Should().Be(0);
    }

    [Fact]
    public void A_message_that_is_larger_than_every_share_is_accepted_while_nobody_holds_much()
    {
        using var server = LaneEnd.Member(
            _wire, "other", map => map.At("late").Put(_late.HandleAsync), new CoapServerSettings { ServerTransfers = new() { MaxTotalSize = 1500 } });
        _client.TalkTo("other");

        Ask(1).Should().Be("");
        Ask(2).Should().Be("4.29");
        server.Lane.Ledger.Bodies.Used.Should().Be(750);
        _late.Answer(Response.Changed);
        _client.TakeAll(seconds: 1);
        Ask(3).Should().Be("");
        _late.Calls.Should().Be(2);

        string Ask(int id)
        {
            var before = _client.Received.Count;
            _client.Send($"CON [0x{id:x4}] PUT /late (Token 0x{id:x2}) '{Block}'");
            _client.TakeAll(seconds: 0);
            return _client.Received.Count == before ? "" : Describe(WireMessage.Read(_client.Received[^1]));
        }
    }

    private static string Describe(WireMessage message) => $"{message.Code >> 5}.{message.Code & 31:d2}";
}
