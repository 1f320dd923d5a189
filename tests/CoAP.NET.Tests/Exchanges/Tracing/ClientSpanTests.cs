using System.Diagnostics;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The spans of sent requests, and the context that they carry.</summary>
public sealed class ClientSpanTests : IDisposable
{
    private readonly SpanRecorder _spans = new();
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _server;
    private LaneEnd? _client;

    public ClientSpanTests() => _server = ScriptedPeer.Server(_wire);

    private string Path => $"/{_spans.Root}/a";

    public void Dispose()
    {
        _server.Dispose();
        _client?.Dispose();
        _spans.Dispose();
    }

    [Fact]
    public void A_request_has_a_span_with_its_uri_but_without_its_query()
    {
        var call = Send($"{Path}?secret=1");

        _server.Expect($"CON [X] GET {Path}?secret=1 (Token T)");
        _server.Send("ACK [X] 2.05 Content (Token T) 'x'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        call.IsCompletedSuccessfully.Should().BeTrue();
        var span = _spans.Only(ActivityKind.Client);
        span.DisplayName.Should().Be("GET");
        span.Status.Should().Be(ActivityStatusCode.Unset);
        span.GetTagItem("url.full").Should().Be($"coap://server{Path}");
        span.GetTagItem("server.address").Should().Be("server");
        span.GetTagItem("coap.response.code").Should().Be("2.05");
        Activity.Current.Should().NotBe(span, "the caller did not start the span");
    }

    [Fact]
    public void An_error_of_the_server_is_an_error_of_the_span()
    {
        _ = Send(Path);

        _server.Expect($"CON [X] GET {Path} (Token T)");
        _server.Send("ACK [X] 4.04 (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        var span = _spans.Only(ActivityKind.Client);
        (span.Status, span.GetTagItem("error.type")).Should().Be((ActivityStatusCode.Error, "4.04"));
    }

    [Fact]
    public void A_request_without_a_response_ends_with_an_exception()
    {
        var call = Send(Path);

        _server.TakeAll(seconds: 120);

        call.IsFaulted.Should().BeTrue();
        var span = _spans.Only(ActivityKind.Client);
        (span.Status, span.GetTagItem("error.type")).Should().Be((ActivityStatusCode.Error, typeof(CoapTimeoutException).FullName));
        span.Events.Should().ContainSingle(one => one.Name == "exception");
        span.Duration.Should().BeGreaterThan(TimeSpan.FromSeconds(31), "the span has the time of the endpoint");
    }

    [Fact]
    public void A_canceled_request_ends_its_span()
    {
        using var cancellation = new CancellationTokenSource();
        _ = Send(Path, cancellationToken: cancellation.Token);
        _server.Expect($"CON [X] GET {Path} (Token T)");

        cancellation.Cancel();
        _wire.RunUntilIdle(TimeSpan.Zero);

        _spans.Only(ActivityKind.Client).GetTagItem("error.type").Should().Be("canceled");
    }

    [Fact]
    public void The_context_of_the_trace_is_not_sent_by_default()
    {
        _ = Send(Path);

        _server.Expect($"CON [X] GET {Path} (Token T)");
        OptionsOf(_server.LastBytes).Contains<TraceParent>().Should().BeFalse();
    }

    [Fact]
    public void The_context_of_the_trace_is_sent_if_the_settings_say_so()
    {
        var call = Send(Path, new() { SendsTraceContext = true });
        _server.TakeAll(seconds: 0);
        var parent = OptionsOf(_server.Received[^1]).Get<TraceParent>()!;
        _server.TakeAll(seconds: 120);

        call.IsFaulted.Should().BeTrue();
        var span = _spans.Only(ActivityKind.Client);
        parent.TryGetContext(null, out var context).Should().BeTrue();
        (context.TraceId, context.SpanId, context.TraceFlags).Should().Be((span.TraceId, span.SpanId, ActivityTraceFlags.Recorded));
    }

    [Fact]
    public void A_server_of_this_library_continues_the_trace()
    {
        _server.Dispose();
        using var server = LaneEnd.Member(
            _wire, "other", map => map.At(Path).Get(_ => Response.Content("x"), HandlerMode.Inline), new() { Telemetry = new() { TrustsTraceContext = true } });
        using var outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C).Start();
        outer.TraceStateString = "vendor=1";

        var call = Send(Path, new() { SendsTraceContext = true }, PeerIdentity.From("other"));
        _wire.RunUntilIdle(TimeSpan.Zero);

        call.IsCompletedSuccessfully.Should().BeTrue();
        var (client, served) = (_spans.Only(ActivityKind.Client), _spans.Only(ActivityKind.Server));
        (client.ParentSpanId, served.ParentSpanId).Should().Be((outer.SpanId, client.SpanId));
        (served.TraceId, served.TraceStateString).Should().Be((outer.TraceId, "vendor=1"));
    }

    [Fact]
    public void The_current_span_is_carried_by_a_request_to_a_group()
    {
        using var member = ScriptedPeer.Member(_wire, "member", "group");
        using var outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C).Start();
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Telemetry = new() { SendsTraceContext = true } });

        using var sent = _client.Multicast("group", new CoapRequest(RequestCode.Get, Path) { IsConfirmable = false });
        member.TakeAll(seconds: 0);

        OptionsOf(member.Received[0]).Get<TraceParent>()!.TryGetContext(null, out var context).Should().BeTrue();
        (context.TraceId, context.SpanId).Should().Be((outer.TraceId, outer.SpanId));
    }

    [Fact, Trait("RFC", "8974 3.3")]
    public void The_current_span_is_carried_by_a_stateless_request()
    {
        using var tokens = new StatelessTokens();
        using var outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C).Start();
        _client = LaneEnd.Client(_wire, new CoapClientSettings { StatelessTokens = tokens, Telemetry = new() { SendsTraceContext = true } });

        _ = CoAP.Stateless.StatelessRequest.Send(
            _client.ChannelTo(_wire.Server), new CoapRequest(RequestCode.Get, Path), tokens, "state"u8.ToArray(), parked: false);
        _server.TakeAll(seconds: 0);

        OptionsOf(_server.Received[0]).Get<TraceParent>()!.TryGetContext(null, out var context).Should().BeTrue();
        (context.TraceId, context.SpanId).Should().Be((outer.TraceId, outer.SpanId));
    }

    private static OptionSet OptionsOf(byte[] datagram)
    {
        new CoAP.Serialization.DatagramSerializer(OptionRegistry.Default).TryRead(datagram, out var message, out _, out _).Should().BeTrue();
        return message!.Options;
    }

    private Task<CoapResponse> Send(string path, TelemetrySettings? telemetry = null, PeerIdentity? to = null, CancellationToken cancellationToken = default)
    {
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Telemetry = telemetry ?? new() });
        var call = _client.Send(new CoapRequest(RequestCode.Get, path), to, cancellationToken);
        return call;
    }
}
