using System.Text;
using CoAP.Discovery;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A client without Echo reads a representation in blocks that any address may get (RFC 9175, section 2.4, item 3; RFC 7959, section 2.4).</summary>
public sealed class SmallBlocksTests : IDisposable
{
    private const int EchoNumber = 252;
    private const int Block2Number = 23;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private readonly LateAnswer _slow = new();
    private CoapResponse _response = Response.Content(new string('x', 500));

    public SmallBlocksTests()
    {
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                map.At("r").Get(_ => _response, HandlerMode.Inline);
                map.At("slow").Get(_slow.HandleAsync);
                for (var i = 0; i < 10; i++) { map.At($"resource-{i}").Get(static _ => Response.Content(""), HandlerMode.Inline); }
                WellKnownCore.MapOn(map);
                map.At("o").Observable().Get(_ => _response, HandlerMode.Inline);
            },
            new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    // Client              Server
    //    | GET, 2:0/0/1024    |
    //    +------------------->|
    //    | 2.05 2:0/1/64, Echo|
    //    |<-------------------+
    //    | GET, 2:1/0/64      |
    //    +------------------->|  and so on
    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7959 2.4")]
    [InlineData(6), InlineData(2), InlineData(0)]
    public void A_client_that_asks_for_blocks_gets_small_ones(int szx)
    {
        _response = Response.Content(string.Concat(Enumerable.Range(0, 500).Select(static i => (char)('a' + (i % 26)))));

        var body = Fetch("r", firstOption: $"23: 0x{szx:x2}");

        Encoding.UTF8.GetString(body).Should().Be(Encoding.UTF8.GetString(_response.Payload.Span));
    }

    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 7.2.1")]
    public void The_list_of_resources_comes_in_small_blocks_even_if_nobody_asks_for_them()
    {
        var list = Encoding.UTF8.GetString(Fetch(".well-known/core", firstOption: ""));

        list.Should().Contain("</resource-0>").And.Contain("</resource-9>");
    }

    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7959 2.4")]
    public void Repeating_the_Echo_of_a_block_verifies_the_address()
    {
        _client.Send("CON [0x0001] GET /r (Token 0x01) {23: 0x06}");
        var echo = Take().Options.Single(static option => option.Number == EchoNumber);

        _client.Send($"CON [0x0002] GET /r (Token 0x02) {{252: 0x{Hex.Text(echo.Value)}}}");

        Take().Payload.Should().HaveCount(500);
    }

    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("GET /r (Token 0x01)", "it did not ask for blocks")]
    [InlineData("GET /o (Token 0x01) {Observe: 0, 23: 0x06}", "an observer has to prove its address")]
    public void Other_requests_get_a_challenge(string request, string because)
    {
        _client.Send($"CON [0x0001] {request}");

        Take().Code.Should().Be(0x81, because);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void A_slow_handler_does_not_run_for_each_block()
    {
        _client.Send("CON [0x0001] GET /slow (Token 0x01) {23: 0x06}");
        _client.Expect("ACK [0x0001]", at: 0.25);
        _slow.Answer(_response);

        Take().Code.Should().Be(0x81);
    }

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_representation_that_changes_between_blocks_has_another_ETag()
    {
        _client.Send("CON [0x0001] GET /r (Token 0x01) {23: 0x02}");
        var first = Take();
        _response = Response.Content(new string('y', 500));
        _client.Send("CON [0x0002] GET /r (Token 0x02) {23: 0x12}");
        var second = Take();

        TagOf(first).Should().NotBe(TagOf(second));
    }

    // No message of the exchange is longer than 136 bytes or three times the request.
    private byte[] Fetch(string path, string firstOption)
    {
        List<byte> body = [];
        var option = firstOption;
        for (var id = 1; id < 200; id++)
        {
            _client.Send($"CON [0x{id:x4}] GET /{path} (Token 0x01){(option.Length > 0 ? $" {{{option}}}" : "")}");
            var block = Take();
            block.Code.Should().Be(0x45);
            _client.Received[^1].Length.Should().BeLessThanOrEqualTo(136);
            var value = block.Options.Single(static one => one.Number == Block2Number).Value.Aggregate(0, static (sum, octet) => (sum << 8) | octet);
            (value >> 4 << ((value & 7) + 4)).Should().Be(body.Count);
            body.AddRange(block.Payload);
            if ((value & 8) == 0) { return [.. body]; }
            option = $"23: 0x{((value >> 4) + 1) << 4 | (value & 7):x4}";
        }
        throw new InvalidOperationException("The body has no end.");
    }

    private WireMessage Take()
    {
        var before = _client.Received.Count;
        _client.TakeAll(seconds: 1);
        _client.Received.Should().HaveCount(before + 1);
        return WireMessage.Read(_client.Received[^1]);
    }

    private static string TagOf(WireMessage message) => Hex.Text(message.Options.Single(static option => option.Number == 4).Value);
}
