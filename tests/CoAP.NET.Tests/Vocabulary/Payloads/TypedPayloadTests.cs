using System.Text;
using CoAP.Discovery;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Vocabulary.Payloads;

/// <summary>Typed requests and responses of a server: Content-Format and Accept select the format.</summary>
public sealed class TypedPayloadTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;
    private readonly List<Point> _read = [];
    private int _seenByStep = -1;

    public TypedPayloadTests()
    {
        _server = LaneEnd.Server(_wire, Map, new CoapServerSettings { Formats = Point.Formats }, next => async (request, cancellationToken) =>
        {
            var response = await next(request, cancellationToken);
            _seenByStep = response.Payload.Length;
            return response;
        });
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Formats = Point.Formats });
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [Fact]
    public void A_value_is_sent_in_the_preferred_format_if_the_client_accepts_any()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/point"));

        answer.Code.Should().Be(ResponseCode.Content);
        answer.ContentFormat.Should().Be(Point.Text);
        answer.PayloadText.Should().Be("3;4");
        answer.Options.Get<MaxAge>()!.Value.Should().Be(9);
        _seenByStep.Should().Be(3, "a step sees the payload of the handler's response");
    }

    [Theory, Trait("RFC", "7252 5.10.4")]
    [InlineData(Point.Text, "333B34"), InlineData(Point.Binary, "0304")]
    public void A_value_is_sent_in_the_format_that_the_client_accepts(uint accept, string bytes)
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/point") { Options = [new Accept(accept)] });

        answer.ContentFormat.Should().Be(accept);
        Convert.ToHexString(answer.Payload.Span).Should().Be(bytes);
    }

    [Fact, Trait("RFC", "7252 5.10.4"), Trait("RFC", "7252 5.9.2.7")]
    public void A_client_that_accepts_no_format_of_the_value_gets_4_06_without_a_payload()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/point") { Options = [new Accept(ContentFormats.Json)] });

        answer.Code.Should().Be(ResponseCode.NotAcceptable);
        answer.Payload.IsEmpty.Should().BeTrue();
        answer.Options.Count.Should().Be(0);
    }

    [Theory, Trait("RFC", "7252 5.10.4")]
    [InlineData(Point.Binary, Point.Binary), InlineData(ContentFormats.Json, Point.Text)]
    public void The_answer_to_an_unsafe_method_stands_in_the_preferred_format(uint accept, uint format)
    {
        var answer = Ask(new CoapRequest(RequestCode.Post, "/point") { Options = [new Accept(accept)] });

        answer.Code.Should().Be(ResponseCode.Changed);
        answer.ContentFormat.Should().Be(format);
        _read.Should().ContainSingle("the handler has acted");
    }

    [Theory, Trait("RFC", "7252 5.9.2.7")]
    [InlineData(null, "2.04"), InlineData(Point.Binary, "2.04"), InlineData(ContentFormats.Json, "4.06")]
    public void A_handler_can_refuse_what_the_client_does_not_accept_before_it_acts(uint? accept, string code)
    {
        var answer = Ask(new CoapRequest(RequestCode.Post, "/careful") { Options = accept is { } format ? [new Accept(format)] : [] });

        answer.Code.ToString().Should().StartWith(code);
        _read.Should().HaveCount(code == "2.04" ? 1 : 0);
    }

    [Fact]
    public void A_handler_that_names_the_format_selects_it()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/binary"));

        answer.ContentFormat.Should().Be(Point.Binary);
        answer.Payload.ToArray().Should().Equal(3, 4);
    }

    [Theory]
    [InlineData("/nobody"), InlineData("/unknown")]
    public void A_value_without_a_format_is_a_failure_of_the_server(string path)
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, path));

        answer.Code.Should().Be(ResponseCode.InternalServerError);
        _server.Log.Exceptions.Should().ContainSingle().Which.Should().BeOfType<NotSupportedException>();
    }

    [Fact]
    public void Reading_the_payload_of_a_get_request_is_a_failure_of_the_server()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/misread"));

        answer.Code.Should().Be(ResponseCode.InternalServerError);
        _server.Log.Exceptions.Should().ContainSingle().Which.Message.Should().Be("A GET request has no payload to read (RFC 7252, section 5.5).");
    }

    [Theory, Trait("RFC", "7252 5.10.3")]
    [InlineData(Point.Text, "333B34"), InlineData(Point.Binary, "0304")]
    public void A_request_is_read_in_the_format_that_it_names(uint format, string bytes)
    {
        var answer = Ask(Put(format, Convert.FromHexString(bytes)));

        answer.Code.Should().Be(ResponseCode.Changed);
        _read.Should().Equal(new Point(3, 4));
    }

    [Theory, Trait("RFC", "7252 5.9.2.10")]
    [InlineData(50u, "Content-Format is 50; the resource reads point text (65001), point bytes (65002).")]
    [InlineData(null, "The request has no Content-Format, and the resource reads several formats; send the option with that of the payload: point text (65001), point bytes (65002).")]
    public void A_request_in_another_format_gets_a_problem_with_the_formats(uint? format, string detail)
    {
        var answer = Ask(Put(format, [1, 2]));

        answer.Code.Should().Be(ResponseCode.UnsupportedContentFormat);
        answer.Problem!.Detail!.Text.Should().Be(detail);
        _read.Should().BeEmpty();
    }

    [Theory, Trait("RFC", "7252 5.9.2.1")]
    [InlineData(null), InlineData(50u), InlineData(Point.Binary)]
    public void A_request_without_a_payload_gets_4_00_whatever_its_format(uint? format)
    {
        var answer = Ask(Put(format, []));

        answer.Code.Should().Be(ResponseCode.BadRequest);
        answer.Problem!.Detail!.Text.Should().StartWith("The request has no payload; a value in point ");
    }

    [Fact, Trait("RFC", "7252 5.5.1")]
    public void A_payload_without_a_Content_Format_is_read_if_only_one_format_handles_the_type() =>
        Ask(Put(null, "</a>,</b>"u8.ToArray(), "/links")).PayloadText.Should().Be("2");

    [Theory, Trait("RFC", "7252 5.9.2.1"), Trait("RFC", "9290 2")]
    [InlineData("31", "The point has no semicolon.")]
    [InlineData("", "The request has no payload; a value in point text is required.")]
    public void A_payload_that_is_not_a_value_gets_a_problem(string bytes, string detail)
    {
        var answer = Ask(Put(Point.Text, Convert.FromHexString(bytes)));

        answer.Code.Should().Be(ResponseCode.BadRequest);
        answer.Problem!.Title!.Text.Should().Be("Malformed payload");
        answer.Problem.Detail!.Text.Should().Be(detail);
    }

    [Fact]
    public void A_format_that_fails_otherwise_is_a_failure_of_the_server()
    {
        Ask(Put(Point.Text, "1;x"u8.ToArray())).Code.Should().Be(ResponseCode.InternalServerError);
    }

    [Theory]
    [InlineData(null), InlineData(ContentFormats.TextPlain)]
    public void A_text_needs_no_content_format(uint? format)
    {
        var answer = Ask(Put(format, "grüß dich"u8.ToArray(), "/text"));

        answer.PayloadText.Should().Be("grüß dich!");
        answer.ContentFormat.Should().Be(ContentFormats.TextPlain);
    }

    [Fact]
    public void A_text_that_is_not_valid_is_refused()
    {
        var answer = Ask(Put(null, [0x41, 0xFF], "/text"));

        answer.Code.Should().Be(ResponseCode.BadRequest);
        answer.Problem!.Detail!.Text.Should().Be("The text is not valid UTF-8 (at byte 1).");
    }

    [Fact]
    public void An_error_is_sent_whatever_the_client_accepts()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/conflict") { Options = [new Accept(ContentFormats.Json)] });

        answer.Code.Should().Be(ResponseCode.Conflict);
        answer.ContentFormat.Should().Be(Point.Text);
    }

    [Fact]
    public void A_tag_is_added_to_a_value()
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, "/tagged"));

        answer.Options.Get<ETag>().Should().Be(new ETag(new byte[] { 7 }));
        answer.PayloadText.Should().Be("3;4");
    }

    [Theory]
    [InlineData("/denied", "4.03"), InlineData("/denied/badly", "5.00")]
    public void An_authorizer_can_refuse_with_a_value(string path, string code)
    {
        var answer = Ask(new CoapRequest(RequestCode.Get, path));

        answer.Code.ToString().Should().Be(code);
        if (code == "4.03") { answer.PayloadText.Should().Be("3;4"); }
    }

    // 3 bytes of text are a link, which takes 64 bytes.
    [Fact]
    public void Links_that_take_too_much_memory_are_refused()
    {
        PayloadFormats.Default.TryFind(typeof(IReadOnlyList<WebLink>), out var format).Should().BeTrue();
        var few = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("<>,", 1_000)));
        var many = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("<>,", ((128 << 20) / 64) + 1)));

        format!.Read<IReadOnlyList<WebLink>>(few).Should().HaveCount(1_000);
        format.Invoking(one => one.Read<IReadOnlyList<WebLink>>(many))
            .Should().Throw<CoapPayloadException>().WithMessage("*too much memory; at most 134217728 bytes are allowed*");
    }

    private static void Map(ResourceMap map, List<Point> read)
    {
        var value = new Point(3, 4);
        map.At("point").Get(_ => Response.Content(value, new MaxAge(9)), HandlerMode.Inline)
            .Put(async (request, cancellationToken) =>
            {
                read.Add(await request.ReadAsync<Point>(cancellationToken));
                return Response.Changed;
            })
            .Post(_ => Act(read), HandlerMode.Inline);
        map.At("careful").Post(request => request.Accepts<Point>() ? Act(read) : new CoapResponse(ResponseCode.NotAcceptable), HandlerMode.Inline);
        map.At("links").Put(request => Response.Content($"{request.Read<IReadOnlyList<WebLink>>().Count}"), HandlerMode.Inline);
        map.At("binary").Get(_ => Response.Content(value, new ContentFormat(Point.Binary)), HandlerMode.Inline);
        map.At("unknown").Get(_ => Response.Content(value, new ContentFormat(1)), HandlerMode.Inline);
        map.At("nobody").Get(_ => Response.Content(new Uri("coap://a")), HandlerMode.Inline);
        map.At("misread").Get(request => Response.Content(request.Read<Point>()), HandlerMode.Inline);
        map.At("conflict").Get(_ => Response.Of(ResponseCode.Conflict, value), HandlerMode.Inline);
        map.At("denied").Authorize(_ => AuthorizationDecision.Deny(Response.Of(ResponseCode.Forbidden, value))).Get(_ => Response.Changed);
        map.At("denied/badly").Authorize(_ => AuthorizationDecision.Deny(Response.Of(ResponseCode.Forbidden, new Version(1, 0)))).Get(_ => Response.Changed);
        map.At("tagged").WithTag(_ => new ETag(new byte[] { 7 })).Get(_ => Response.Content(value), HandlerMode.Inline);
        map.At("text").Put(request => Response.Content(request.Read<string>() + "!"), HandlerMode.Inline);
    }

    private static CoapResponse Act(List<Point> acted)
    {
        acted.Add(new Point(3, 4));
        return Response.Of(ResponseCode.Changed, acted[^1]);
    }

    private static CoapRequest Put(uint? format, byte[] payload, string path = "/point") => new(RequestCode.Put, path)
    {
        Payload = payload,
        Options = format is { } named ? [new ContentFormat(named)] : [],
    };

    private void Map(ResourceMap map) => Map(map, _read);

    private CoapResponse Ask(CoapRequest request)
    {
        var call = _client.Send(request);
        _wire.RunUntilIdle();
        return call.Answer();
    }
}
