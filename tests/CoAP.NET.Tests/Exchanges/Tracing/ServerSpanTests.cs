using System.Diagnostics;
using System.Net;
using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The spans of received requests.</summary>
public sealed class ServerSpanTests : IDisposable
{
    private readonly SpanRecorder _spans = new();
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;
    private Activity? _current;
    private Resource? _observed;

    public ServerSpanTests() => _client = ScriptedPeer.Client(_wire);

    private string Root => _spans.Root;

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
        _spans.Dispose();
    }

    [Fact]
    public void A_request_has_a_span_with_the_name_of_its_method_and_route()
    {
        Serve();

        Ask($"CON [0x0001] GET /{Root}/7?secret=1 (Token 0x01)", "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");

        var span = _spans.Only(ActivityKind.Server);
        span.DisplayName.Should().Be($"GET /{Root}/{{id}}");
        span.Status.Should().Be(ActivityStatusCode.Unset);
        span.Should().BeSameAs(_current, "the handler adds spans of its own below that of its request");
        var tags = span.TagObjects.ToDictionary(tag => tag.Key, tag => tag.Value);
        tags.Should().Contain(new Dictionary<string, object?>
        {
            ["coap.request.method"] = "GET",
            ["coap.response.code"] = "2.05",
            ["coap.route"] = $"/{Root}/{{id}}",
            ["url.path"] = $"/{Root}/7",
            ["url.scheme"] = "coap",
            ["network.transport"] = "inmemory",
            ["client.address"] = "client",
            ["server.address"] = "server",
        });
        tags.Should().NotContainKeys("url.query", "error.type");
    }

    [Fact]
    public void The_query_is_recorded_only_if_the_settings_allow_it()
    {
        Serve(new() { IncludesQuery = true });

        Ask($"CON [0x0001] GET /{Root}/7?unit=C (Token 0x01)", "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");

        _spans.Only(ActivityKind.Server).GetTagItem("url.query").Should().Be("unit=C");
    }

    [Theory]
    [InlineData("GET /missing", "4.04 Not Found", "GET", "4.04")]
    [InlineData("PUT /7", "4.05 Method Not Allowed", "PUT {id}", "4.05")]
    public void A_refused_request_has_a_span_that_is_no_error_of_the_server(string request, string answer, string name, string code)
    {
        Serve();
        var (method, path) = (request.Split(' ')[0], request.Split(' ')[1].Replace("/missing", "/a/b/c", StringComparison.Ordinal));

        Ask($"CON [0x0001] {method} /{Root}{path} (Token 0x01)", $"ACK [0x0001] {answer} (Token 0x01)");

        var span = _spans.Only(ActivityKind.Server);
        span.DisplayName.Should().Be(name.Replace(" {id}", $" /{Root}/{{id}}", StringComparison.Ordinal));
        span.GetTagItem("coap.response.code").Should().Be(code);
        span.Status.Should().Be(ActivityStatusCode.Unset);
    }

    // Anybody can send any number of requests with forged addresses.
    [Fact, Trait("RFC", "9175 2.4")]
    public void A_challenged_request_of_an_unverified_address_is_counted_and_has_no_span()
    {
        using var stranger = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse("192.0.2.7"), 5683));
        Serve(more: MapFresh);

        stranger.Send($"CON [0x0001] GET /{Root}/fresh/x (Token 0x01)");
        stranger.TakeAll(seconds: 1);

        stranger.Received.Should().ContainSingle().Which[1].Should().Be((4 << 5) | 1, "the response is 4.01");
        _spans.Spans.Should().BeEmpty();
        _server!.Lane.Metrics[RequestEnd.Refused].Should().Be(1);
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_challenged_request_of_a_known_address_has_a_span()
    {
        Serve(more: MapFresh);

        _client.Send($"CON [0x0001] GET /{Root}/fresh/x (Token 0x01)");
        _client.TakeAll(seconds: 1);

        _spans.Only(ActivityKind.Server).GetTagItem("coap.response.code").Should().Be("4.01");
    }

    [Fact]
    public void An_exception_of_a_handler_is_an_event_and_an_error()
    {
        Serve();

        Ask($"CON [0x0001] DELETE /{Root}/7 (Token 0x01)", "ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");

        var span = _spans.Only(ActivityKind.Server);
        span.Status.Should().Be(ActivityStatusCode.Error);
        span.GetTagItem("error.type").Should().Be(typeof(InvalidOperationException).FullName);
        span.Events.Should().ContainSingle(one => one.Name == "exception");
    }

    [Fact]
    public void A_late_answer_ends_the_span()
    {
        var late = new LateAnswer();
        Serve(more: map => map.At($"{Root}/late/x").Get(late.HandleAsync));

        Ask($"CON [0x0001] GET /{Root}/late/x (Token 0x01)", "ACK [0x0001] 0.00");
        _spans.Spans.Should().BeEmpty();
        late.Answer(Response.Changed);
        _client.Expect("CON [X] 2.04 Changed (Token 0x01)");

        _spans.Only(ActivityKind.Server).GetTagItem("coap.response.code").Should().Be("2.04");
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public void A_notification_has_a_span_with_a_link_to_the_registration()
    {
        Serve();
        Ask($"NON [0x0001] GET /{Root}/observed/x (Token 0x01) {{Observe: 0}}", "NON [X] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'x'");

        _observed!.NotifyChanged();
        _client.TakeAll(seconds: 1);

        var registration = _spans.Only(ActivityKind.Server);
        var notification = _spans.Only(ActivityKind.Producer);
        notification.Links.Should().ContainSingle().Which.Context.SpanId.Should().Be(registration.SpanId);
        notification.TraceId.Should().NotBe(registration.TraceId, "an observation can last for years");
    }

    [Theory]
    [InlineData(true, "0102030405060708090a0b0c0d0e0f10", "a1a2a3a4a5a6a7a8", true)]
    [InlineData(false, "0102030405060708090a0b0c0d0e0f10", "a1a2a3a4a5a6a7a8", false)]
    [InlineData(true, "00000000000000000000000000000000", "a1a2a3a4a5a6a7a8", false)]
    [InlineData(true, "0102030405060708090a0b0c0d0e0f10", "0000000000000000", false)]
    [InlineData(true, "0102030405060708090a0b0c0d0e0f10", "a1a2", false)]
    public void The_trace_of_the_sender_continues_only_if_it_is_trusted_and_correct(bool trusts, string trace, string parent, bool continues)
    {
        Serve(new() { TrustsTraceContext = trusts });

        Ask($"CON [0x0001] GET /{Root}/7 (Token 0x01) {{65020: 0x{trace}{parent}01}}", "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");

        var span = _spans.Only(ActivityKind.Server);
        (span.TraceId.ToHexString() == trace).Should().Be(continues);
        (span.HasRemoteParent && span.ParentSpanId.ToHexString() == parent).Should().Be(continues);
        span.HasRemoteParent.Should().Be(continues);
    }

    [Theory]
    [InlineData("GET", "{Accept: 50}", "4.06 Not Acceptable", "", "4.06")]
    [InlineData("GET", "{No-Response: 2}", null, "", "2.05")]
    public void The_code_is_that_of_the_response_that_is_sent(string method, string options, string? answer, string rest, string code)
    {
        Serve();

        _client.Send($"NON [0x0001] {method} /{Root}/7 (Token 0x01) {options}");
        if (answer is not null) { _client.Expect($"NON [X] {answer} (Token 0x01){rest}"); }
        _client.TakeAll(seconds: 1);

        var span = _spans.Only(ActivityKind.Server);
        (span.GetTagItem("coap.response.code"), span.Status).Should().Be((code, ActivityStatusCode.Unset));
    }

    // OpenTelemetry: the name of a span with an unknown method is that of the protocol, and the attribute has the original method.
    [Fact]
    public void An_unknown_method_has_the_name_of_the_protocol()
    {
        Serve();

        _client.Send($"NON [0x0001] 0.09 /{Root}/7 (Token 0x01)");
        _client.TakeAll(seconds: 1);

        var span = _spans.Only(ActivityKind.Server);
        span.DisplayName.Should().StartWith("CoAP").And.NotContain("_OTHER");
        (span.GetTagItem("coap.request.method"), span.GetTagItem("coap.request.method_original")).Should().Be(("_OTHER", "0.09"));
    }

    // OpenTelemetry: these attributes "SHOULD be provided at span creation time (if provided at all)", for samplers.
    [Fact]
    public void A_sampler_sees_the_attributes()
    {
        Serve();

        Ask($"CON [0x0001] GET /{Root}/7 (Token 0x01)", "ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'x'");

        _spans.Sampled.Should().ContainSingle().Which.Keys.Should().Contain(
            ["coap.request.method", "coap.route", "url.path", "url.scheme", "server.address", "client.address", "network.peer.address"]);
    }

    private void MapFresh(ResourceMap map) => map.At($"{Root}/fresh/x").Get(Read, HandlerMode.Inline).RequiresFreshness(TimeSpan.FromMinutes(1));

    private void Ask(string request, string answer)
    {
        _client.Send(request);
        _client.Expect(answer);
    }

    private void Serve(TelemetrySettings? telemetry = null, Action<ResourceMap>? more = null) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            map.At($"{Root}/{{id}}").Get(Read, HandlerMode.Inline).Delete(Fail, HandlerMode.Inline);
            _observed = map.At($"{Root}/observed/x").Get(_ => Response.Content("x"), HandlerMode.Inline).Observable();
            more?.Invoke(map);
        },
        new CoapServerSettings { Telemetry = telemetry ?? new() });

    private static CoapResponse Fail(IncomingRequest request) => throw new InvalidOperationException("broken");

    private CoapResponse Read(IncomingRequest request)
    {
        _current = Activity.Current;
        return Response.Content("x");
    }
}
