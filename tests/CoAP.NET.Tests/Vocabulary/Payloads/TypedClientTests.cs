using CoAP.Discovery;
using CoAP.Options;

namespace CoAP.Tests.Vocabulary.Payloads;

/// <summary>Typed calls of a client, async and sync, over datagrams and connections.</summary>
public sealed class TypedClientTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly CoapServer _server;
    private readonly CoapClient _client;

    public TypedClientTests()
    {
        var network = new InMemoryNetwork();
        _server = new CoapServer(new() { Network = network, Formats = Point.Formats, Endpoints = [ServerEndpoint.InMemory("server")] });
        _client = new CoapClient(new() { Network = network, Formats = Point.Formats });
        Map();
        _server.Start();
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task Values_go_both_ways(string scheme)
    {
        var uri = $"{scheme}://server/point";

        (await _client.PutAsync(uri, new Point(5, 6)).AsTask().WaitAsync(Patience)).Read<Point>(_client.Formats).Should().Be(new Point(5, 6));
        (await _client.GetAsync<Point>(uri).AsTask().WaitAsync(Patience)).Should().Be(new Point(5, 6));
        (await _client.PostAsync<Point, Point>(uri, new Point(7, 8)).AsTask().WaitAsync(Patience)).Should().Be(new Point(8, 7));
        (await _client.FetchAsync<Point, Point>(uri, new Point(7, 8)).AsTask().WaitAsync(Patience)).Should().Be(new Point(8, 7));
        (await _client.PostAsync(uri, new Point(1, 1)).AsTask().WaitAsync(Patience)).Code.Should().Be(ResponseCode.Content);
        (await _client.PatchAsync(uri, new Point(1, 1)).AsTask().WaitAsync(Patience)).Code.Should().Be(ResponseCode.Changed);
        (await _client.IPatchAsync(uri, new Point(1, 1)).AsTask().WaitAsync(Patience)).Code.Should().Be(ResponseCode.Changed);
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public void Values_go_both_ways_while_the_caller_blocks(string scheme)
    {
        var uri = $"{scheme}://server/point";

        _client.Send(_client.Compose(RequestCode.Put, uri, new Point(5, 6), Point.Binary)).Read<Point>(_client.Formats).Should().Be(new Point(5, 6));
        _client.Get<Point>(uri).Should().Be(new Point(5, 6));
        _client.Post<Point, Point>(uri, new Point(7, 8)).Should().Be(new Point(8, 7));
        _client.Fetch<Point, Point>(uri, new Point(7, 8)).Should().Be(new Point(8, 7));
        _client.Post(uri, new Point(1, 1)).Code.Should().Be(ResponseCode.Content);
        _client.Patch(uri, new Point(1, 1)).Code.Should().Be(ResponseCode.Changed);
        _client.IPatch(uri, new Point(1, 1)).Code.Should().Be(ResponseCode.Changed);
    }

    [Fact]
    public async Task States_are_observed_as_values()
    {
        await foreach (var point in _client.ObserveAsync<Point>("coap://server/point"))
        {
            point.Should().Be(new Point(1, 2));
            break;
        }
        _client.Observe<Point>("coap://server/point").First().Should().Be(new Point(1, 2));
        _client.Invoking(client => client.Observe<Point>("coap://server/missing").First()).Should().Throw<CoapResponseException>();
    }

    [Theory]
    [InlineData("odd", "* is not a valid point text value of *Point: The point has no semicolon.")]
    [InlineData("nothing", "The payload of the 2.05 response of server to GET coap://server/nothing is empty; a value in point text is required")]
    public void A_bad_payload_names_the_response(string path, string message)
    {
        _client.Invoking(client => client.Get<Point>($"coap://server/{path}")).Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    public void A_format_that_nobody_asked_for_is_named()
    {
        _client.Invoking(client => client.Get("coap://server/json").Read<Point>(client.Formats)).Should().Throw<CoapPayloadException>()
            .WithMessage("* is in Content-Format 50, which cannot be read as *Point; the formats that can are point text (65001), point bytes (65002)");
    }

    [Fact, Trait("RFC", "7252 5.5.1")]
    public void A_response_without_a_content_format_is_read_as_what_was_accepted()
    {
        var request = new CoapRequest(RequestCode.Get, "coap://server/unnamed") { Options = [new Accept(Point.Binary)] };

        _client.Send(request).Read<Point>(_client.Formats).Should().Be(new Point(8, 9));
    }

    [Fact]
    public void The_default_formats_need_no_setting()
    {
        _client.Get<IReadOnlyList<WebLink>>("coap://server/links").Single().Target.Should().Be("/a");
        _client.Get<byte[]>("coap://server/bytes").Should().Equal(1, 2);
        _client.Get<string>("coap://server/text").Should().Be("hello");
        _client.Put("coap://server/bytes", "hello").PayloadText.Should().Be("HELLO");
    }

    [Fact]
    public void A_bad_response_that_a_handler_received_is_not_the_fault_of_its_client()
    {
        _client.Get("coap://server/relay").Code.Should().Be(ResponseCode.InternalServerError);
    }

    [Fact]
    public void Mistakes_of_the_caller_are_named()
    {
        const string Uri = "coap://server/point";

        _client.Invoking(client => client.Get<Version>(Uri)).Should().Throw<NotSupportedException>().WithMessage("No payload format handles System.Version.*CoapEndpointSettings.Formats*");
        _client.Invoking(client => client.Compose(RequestCode.Put, Uri, new Point(1, 1), contentFormat: 50)).Should().Throw<ArgumentException>()
            .WithMessage("No format with the identifier 50 handles *contentFormat*");
        _client.Invoking(client => client.Put<Point>(Uri, null!)).Should().Throw<ArgumentNullException>();
        _client.Invoking(client => client.Observe<Version>(Uri)).Should().Throw<NotSupportedException>();
        _client.Invoking(client => client.Compose(RequestCode.Put, Uri, new Point(1, 1), null, new ContentFormat(Point.Text))).Should()
            .Throw<ArgumentException>().WithMessage("*Pass it as contentFormat instead.*");
        _client.Invoking(client => client.Get("coap://server/missing").Read<Point>(client.Formats)).Should().Throw<CoapPayloadException>()
            .WithMessage("*The response is an error: call EnsureSuccess before Read");
        FluentActions.Invoking(() => Response.Content<Point>(null!)).Should().Throw<ArgumentNullException>().WithMessage("The value is null*Response.NotFound*");
        FluentActions.Invoking(() => Response.Of(ResponseCode.Valid, 1)).Should().Throw<ArgumentException>();
    }

    private void Map()
    {
        var point = new Point(1, 2);
        _server.Resources.At("point").Observable().Get(_ => Response.Content(point))
            .Put(request => Response.Of(ResponseCode.Changed, point = request.Read<Point>()))
            .Post(request => Response.Content(Mirrored(request.Read<Point>())))
            .Fetch(request => Response.Content(Mirrored(request.Read<Point>())))
            .Patch(request => Response.Of(ResponseCode.Changed, request.Read<Point>()))
            .IPatch(request => Response.Of(ResponseCode.Changed, request.Read<Point>()));
        _server.Resources.At("odd").Get(_ => Response.Content("7"u8.ToArray(), Point.Text));
        _server.Resources.At("json").Get(_ => Response.Content("{}"u8.ToArray(), ContentFormats.Json));
        _server.Resources.At("nothing").Get(_ => new CoapResponse(ResponseCode.Content) { Options = [new ContentFormat(Point.Text)] });
        _server.Resources.At("unnamed").Get(request => new CoapResponse(ResponseCode.Content) { Payload = new byte[] { 8, 9 } });
        _server.Resources.At("links").Get(_ => Response.Content<IReadOnlyList<WebLink>>([new WebLink("/a")]));
        _server.Resources.At("bytes").Get(_ => Response.Content(new byte[] { 1, 2 })).Put(request => Response.Content(request.Read<string>().ToUpperInvariant()));
        _server.Resources.At("text").Get(_ => Response.Content("hello"));
        _server.Resources.At("relay").Get(async (request, cancellationToken) => Response.Content(await _client.GetAsync<Point>("coap://server/odd", cancellationToken)));
    }

    private static Point Mirrored(Point point) => new(point.Y, point.X);
}
