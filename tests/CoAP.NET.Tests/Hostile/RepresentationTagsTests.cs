using CoAP.Discovery;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Small requests for which the server would have to hash a large representation (DESIGN: cost before credit).</summary>
public sealed class RepresentationTagsTests : IDisposable
{
    private const int Large = 1 << 20;
    private const byte Valid = 0x43;
    private const byte Content = 0x45;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private readonly CountedPayload _payload = new(Large);
    private readonly CoapResponse _kept;
    private ResourceMap _map = null!;
    private int _ids;

    public RepresentationTagsTests()
    {
        _kept = Made(ResponseCode.Content);
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                _map = map;
                WellKnownCore.MapOn(map);
                map.At("made").Get(_ => Made(ResponseCode.Content), HandlerMode.Inline).Post(_ => Made(ResponseCode.Changed), HandlerMode.Inline);
                map.At("kept").Get(_ => _kept, HandlerMode.Inline);
                map.At("late").Get(async (_, _) =>
                {
                    await Task.Yield();
                    return Made(ResponseCode.Content);
                });
                map.At("tagged").Get(_ => Tagged(ResponseCode.Content), HandlerMode.Inline).Post(_ => Tagged(ResponseCode.Changed), HandlerMode.Inline);
            },
            new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("{4: 0x01}", "a tag to compare")]
    [InlineData("{23: 0x06}", "the first block")]
    [InlineData("{23: 0x16}", "a later block")]
    [InlineData("{4: 0x01, 23: 0x06}", "a tag and a block")]
    [InlineData("{31: 0x06}", "a block of Q-Block2")]
    [InlineData("{31: 0x0e}", "all blocks of Q-Block2")]
    public void Nothing_of_a_large_representation_is_read_for_an_address_that_may_be_forged(string options, string because)
    {
        foreach (var path in new[] { "made", "kept" }) { Ask($"GET /{path}", options).Code.Should().Be(0x81, because); }

        _payload.Reads.Should().Be(0, because);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void The_response_to_a_POST_of_an_address_that_may_be_forged_is_not_hashed()
    {
        Ask("POST /tagged", "").Code.Should().Be(0x44);
        var copies = _payload.Reads;

        Ask("POST /made", "").Code.Should().Be(0x44);

        _payload.Reads.Should().Be(2 * copies, "the first block is copied, as that of a response with a tag of its own");
    }

    [Theory, Trait("RFC", "7252 5.9.1.3")]
    [InlineData("made"), InlineData("kept"), InlineData("late")]
    public void The_tag_of_a_large_representation_is_computed_off_the_lane(string path)
    {
        Verify();
        Ask("GET /tagged", "");
        var copies = _payload.ReadsOnLanes;

        var tag = TagOf(Ask($"GET /{path}", ""));
        _payload.ReadsOnLanes.Should().Be(2 * copies, "the first block is copied, as that of a representation with a tag of its own");
        Ask($"GET /{path}", $"{{4: 0x{tag}}}").Code.Should().Be(Valid);
        _payload.ReadsOnLanes.Should().Be(2 * copies);
    }

    [Fact, Trait("RFC", "7252 5.9.1.3")]
    public void The_tag_is_kept_with_a_response_that_is_sent_again()
    {
        Verify();
        var tag = TagOf(Ask("GET /kept", ""));
        var reads = _payload.Reads;

        for (var i = 0; i < 20; i++) { Ask("GET /kept", $"{{4: 0x{tag}}}").Code.Should().Be(Valid); }

        _payload.Reads.Should().Be(reads);
    }

    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "6690 4.1")]
    public void A_long_list_of_resources_is_filtered_for_verified_addresses_only()
    {
        Ask("GET /.well-known/core?rt=none", "").Code.Should().Be(Content, "a short list costs little");
        for (var i = 0; i < 600; i++) { _map.At($"resource-{i}").Get(static _ => Response.Content(""), HandlerMode.Inline); }

        Ask("GET /.well-known/core?rt=none", "").Code.Should().Be(0x81);
        Ask("GET /.well-known/core", "").Code.Should().Be(Content, "the whole list is made once, and comes in small blocks");
        Verify();
        Ask("GET /.well-known/core?rt=none", "").Code.Should().Be(Content);
    }

    private CoapResponse Made(CoapCode code) => new(code) { Payload = _payload.Memory };

    private CoapResponse Tagged(CoapCode code) => new(code) { Options = [new ETag(new byte[] { 7 })], Payload = _payload.Memory };

    private void Verify()
    {
        var echo = Ask("GET /made", "{4: 0x01}").Options.Single(static option => option.Number == 252);
        Ask("GET /.well-known/core", $"{{252: 0x{Hex.Text(echo.Value)}}}").Code.Should().Be(Content);
    }

    // Tags are computed by other threads.
    private WireMessage Ask(string request, string options)
    {
        var before = _client.Received.Count;
        _client.Send($"NON [0x{++_ids:x4}] {request} (Token 0x01) {options}".TrimEnd());
        while (!_wire.RunUntil(() => _wire.Sent(Direction.ToClient).Count > before, TimeSpan.Zero)) { _server.AwaitWork(); }
        _client.TakeAll(seconds: 0);
        return WireMessage.Read(_client.Received[before]);
    }

    private static string TagOf(WireMessage message) => Hex.Text(message.Options.Single(static option => option.Number == 4).Value);
}
