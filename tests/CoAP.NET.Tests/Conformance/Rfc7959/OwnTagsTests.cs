using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A client that has a body with an ETag of the library gets 2.03 (RFC 7252, sections 5.9.1.3 and 5.10.6.2).</summary>
public sealed class OwnTagsTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private CoapResponse _response = new(ResponseCode.Content) { Options = [new MaxAge(7), new ContentFormat(42)], Payload = new byte[3000] };

    public OwnTagsTests()
    {
        _server = LaneEnd.Server(
            _wire,
            map => _resource = map.At("r").Observable(keepsFresh: false).Get(_ => _response, HandlerMode.Inline).Fetch(_ => _response, HandlerMode.Inline).Post(_ => _response, HandlerMode.Inline));
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory, Trait("RFC", "7252 5.9.1.3"), Trait("RFC", "7252 5.10.6.2")]
    [InlineData("GET"), InlineData("FETCH")]
    public void The_tag_of_the_library_is_valid_until_the_body_changes(string method)
    {
        var tag = Hex.Text(TagOf(Ask($"{method} /r")));

        var valid = Ask($"{method} /r {{4: 0x01, 4: 0x{tag}}}");
        (valid.Code, valid.Payload.Length, Hex.Text(TagOf(valid))).Should().Be((0x43, 0, tag));
        valid.Options.Select(static option => option.Number).Should().Equal(4, 14);

        _response = new CoapResponse(ResponseCode.Content) { Options = [new ContentFormat(42)], Payload = new byte[3001] };
        Ask($"{method} /r {{4: 0x{tag}}}").Code.Should().Be(0x45);
    }

    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData("GET /r {4: TAG, 23: 0x16}", 0x45, "a later block is not a new retrieval")]
    [InlineData("POST /r {4: TAG}", 0x45, "a POST retrieves nothing")]
    [InlineData("GET /r {4: TAG, 23: 0x06}", 0x43, "the first block is a retrieval")]
    [InlineData("GET /r {4: TAG, 17: 0x32}", 0x86, "the client wants another format")]
    [InlineData("GET /r {4: TAG, 17: 0x2A}", 0x43, "the client wants this format")]
    public void Other_requests_are_answered_as_before(string request, int code, string because)
    {
        var tag = Hex.Text(TagOf(Ask("GET /r")));

        Ask(request.Replace("TAG", $"0x{tag}", StringComparison.Ordinal)).Code.Should().Be(code, because);
    }

    [Fact, Trait("RFC", "7252 5.10.6.2")]
    public void A_handler_that_sets_a_tag_compares_it_itself()
    {
        _response = new CoapResponse(ResponseCode.Content) { Options = [new ETag(new byte[] { 9 })], Payload = new byte[3000] };

        Ask("GET /r {4: 0x09}").Code.Should().Be(0x45);
    }

    // Client              Server
    //    | GET, Obs 0, ETag   |
    //    +------------------->|
    //    | 2.03, ETag, Obs    |
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.3.2")]
    public void An_observer_that_has_the_body_is_registered_with_2_03()
    {
        var tag = Hex.Text(TagOf(Ask("GET /r")));

        var valid = Ask($"GET /r {{4: 0x{tag}, Observe: 0}}");

        valid.Code.Should().Be(0x43);
        valid.Options.Select(static option => option.Number).Should().Equal(4, 6, 14);
        _resource.ObserverCount.Should().Be(1);
    }

    private WireMessage Ask(string request)
    {
        var parts = request.Split(' ', 3);
        var before = _client.Received.Count;
        _client.Send($"CON [0x{before + 1:x4}] {parts[0]} {parts[1]} (Token 0x01){(parts.Length > 2 ? " " + parts[2] : "")}{(parts[0] == "GET" ? "" : " 'q'")}");
        _client.TakeAll(seconds: 0);
        _client.Received.Should().HaveCount(before + 1);
        return WireMessage.Read(_client.Received[^1]);
    }

    private static byte[] TagOf(WireMessage message) => message.Options.Single(static option => option.Number == 4).Value;
}
