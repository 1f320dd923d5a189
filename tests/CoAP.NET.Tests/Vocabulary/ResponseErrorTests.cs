using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Vocabulary;

/// <summary>What the exception of a response that is an error says to whoever reads it in a log.</summary>
public sealed class ResponseErrorTests : IDisposable
{
    private static readonly CoapCode Unregistered = new(4, 30);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;

    public ResponseErrorTests()
    {
        _server = LaneEnd.Server(_wire, map =>
        {
            map.At("closed").Get((_, _) => throw new CoapResponseException(ResponseCode.Forbidden, "members only"));
            map.At("new").Get(_ => new CoapResponse(Unregistered), HandlerMode.Inline);
            map.At("picture").Get(
                _ => new CoapResponse(ResponseCode.BadRequest) { Options = [new ContentFormat(ContentFormats.OctetStream)], Payload = "no"u8.ToArray() },
                HandlerMode.Inline);
        });
        _client = LaneEnd.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [Theory, Trait("RFC", "7252 5.5.1"), Trait("RFC", "7252 5.5.2")]
    [InlineData("/missing?a=b", "GET /missing?a=b with 4.04 Not Found.")]
    [InlineData("coap://example.org/missing", "GET coap://example.org/missing with 4.04 Not Found.")]
    [InlineData("/closed", "GET /closed with 4.03 Forbidden: members only")]
    [InlineData("/picture", "GET /picture with 4.00 Bad Request.")]
    [InlineData("/new", "GET /new with 4.30.")]
    public void The_error_names_the_peer_the_request_and_the_response(string uri, string said)
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, uri));

        Message(answer).Should().Be($"{_server.Self} answered {said}");
    }

    [Fact]
    public void A_request_without_a_URI_is_named_by_its_options()
    {
        var answer = Ask(new CoapRequest(RequestCode.Post) { Options = [new UriPath("sea"), new UriPath("bed"), new UriQuery("deep=1"), new UriQuery("x")] });

        Message(answer).Should().Be($"{_server.Self} answered POST /sea/bed?deep=1&x with 4.04 Not Found.");
    }

    [Fact]
    public void A_long_diagnostic_is_cut_in_the_message_and_whole_beside_it()
    {
        var text = new string('x', 255) + "😀" + new string('y', 3000);
        var answer = new CoapResponse(ResponseCode.BadGateway) { Payload = Encoding.UTF8.GetBytes(text) };

        var error = answer.Invoking(response => response.EnsureSuccess()).Should().Throw<CoapResponseException>().Which;

        error.Message.Should().Be($"The response is 5.02 Bad Gateway: {new string('x', 255)}…");
        error.Diagnostic.Should().Be(text);
    }

    [Fact]
    public void A_diagnostic_of_several_lines_does_not_break_those_of_a_log()
    {
        var answer = new CoapResponse(ResponseCode.BadRequest) { Payload = "no\r\nroot logged in\u001b[2J"u8.ToArray() };

        Message(answer).Should().Be("The response is 4.00 Bad Request: no  root logged in [2J");
    }

    [Fact]
    public async Task An_error_out_of_a_cache_says_the_same()
    {
        var network = new InMemoryNetwork(TimeProvider.System);
        await using var server = new CoapServer(new() { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        server.Start();
        await using var client = new CoapClient(new() { Network = network, Cache = new ResponseCache(new() { TimeProvider = _wire.Time }) });

        var first = await client.GetAsync("coap://server/missing");
        var second = await client.GetAsync("coap://server/missing");

        second.IsFromCache.Should().BeTrue();
        Message(first).Should().Be($"{first.Remote} answered GET coap://server/missing with 4.04 Not Found.");
        Message(second).Should().Be(Message(first));
    }

    private CoapResponse Ask(CoapRequest request)
    {
        var call = _client.Send(request);
        _wire.RunUntilIdle();
        return call.Answer();
    }

    private static string Message(CoapResponse answer) =>
        answer.Invoking(response => response.EnsureSuccess()).Should().Throw<CoapResponseException>().Which.Message;
}
