using System.Diagnostics;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The spans of an observation at its client, and the context that its requests carry.</summary>
public sealed class ObservationSpanTests : IDisposable
{
    private readonly SpanRecorder _spans = new();
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _server;
    private readonly Activity _outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C);
    private LaneEnd? _client;
    private CoapObservation? _observation;
    private int _id = 0x7000;

    public ObservationSpanTests() => _server = ScriptedPeer.Server(_wire);

    private string Path => $"/{_spans.Root}/a";

    public void Dispose()
    {
        _server.Dispose();
        _client?.Dispose();
        _outer.Dispose();
        _spans.Dispose();
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void All_requests_of_an_observation_have_the_same_options_but_for_observe()
    {
        _outer.TraceStateString = "vendor=1";
        Start(new() { SendsTraceContext = true });
        Answer("{Observe: 1, Max-Age: 5} 'x'");

        _server.TakeAll(seconds: 60);       // the representation is stale, and the client registers again
        Answer("{Observe: 2} 'y'");
        _observation!.Context.Connector.Leave(ObservationEnd.Canceled);
        _server.TakeAll(seconds: 0);

        var requests = _server.Received.Select(Read).Where(one => one.Code == RequestCode.Get).DistinctBy(one => one.MessageId).ToList();
        requests.Select(one => one.Options.Get<Observe>()!.Value).Should().Equal(0, 0, 1);
        requests[0].Options.Contains<TraceParent>().Should().BeTrue();
        requests[0].Options.Get<TraceState>()!.Value.Should().Be("vendor=1");
        requests.Select(one => one.Options.Without(Observe.Declaration.Number)).Distinct().Should().ContainSingle();
    }

    [Fact]
    public void A_registration_is_below_the_span_of_its_reader_and_a_notification_begins_a_trace()
    {
        Start();
        Answer("{Observe: 1} 'x'");
        using var other = new Activity("other").SetIdFormat(ActivityIdFormat.W3C).Start();

        Notify("{Observe: 2} 'y'");

        var registration = _spans.Only(ActivityKind.Client);
        var notification = _spans.Only(ActivityKind.Consumer);
        (registration.TraceId, registration.ParentSpanId).Should().Be((_outer.TraceId, _outer.SpanId));
        (notification.ParentSpanId, notification.HasRemoteParent).Should().Be((default, false));
        notification.TraceId.Should().NotBe(other.TraceId).And.NotBe(_outer.TraceId);
        notification.Links.Should().ContainSingle().Which.Context.SpanId.Should().Be(registration.SpanId);
        notification.GetTagItem("coap.response.code").Should().Be("2.05");
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void A_later_registration_is_below_the_span_of_the_reader()
    {
        Start();
        Answer("{Observe: 1, Max-Age: 5} 'x'");
        _outer.Stop();

        _server.TakeAll(seconds: 60);
        Answer("{Observe: 2} 'y'");

        var registrations = _spans.Spans.Where(span => span.Kind == ActivityKind.Client).ToList();
        registrations.Should().HaveCount(2).And.OnlyContain(span => span.ParentSpanId == _outer.SpanId && span.TraceId == _outer.TraceId);
    }

    [Fact, Trait("RFC", "7959 2.6")]
    public void The_blocks_of_a_notification_belong_to_its_span()
    {
        Start();
        Answer("{Observe: 1} 'x'");

        Notify("{Observe: 2, Block2: 0/1/16} '0123456789abcdef'");
        _spans.Spans.Should().NotContain(span => span.Kind == ActivityKind.Consumer, "the body is not complete");
        _server.Expect($"CON [X] GET {Path} (Token T) {{Block2: 1/0/16}}");
        _server.Send("ACK [X] 2.05 Content (Token T) {Block2: 1/0/16} 'g'");
        _wire.RunUntilIdle(TimeSpan.Zero);

        _spans.Only(ActivityKind.Consumer).Status.Should().Be(ActivityStatusCode.Unset);
        _spans.Spans.Should().HaveCount(2, "no request for a block has a span of its own");
    }

    [Fact, Trait("RFC", "7959 2.6")]
    public void A_notification_that_a_newer_one_replaces_is_no_error()
    {
        Start();
        Answer("{Observe: 1} 'x'");
        Notify("{Observe: 2, Block2: 0/1/16} '0123456789abcdef'");

        Notify("{Observe: 3} 'z'");

        var notifications = _spans.Spans.Where(span => span.Kind == ActivityKind.Consumer).ToList();
        notifications.Should().HaveCount(2).And.OnlyContain(span => span.Status == ActivityStatusCode.Unset && span.GetTagItem("error.type") == null);
    }

    private void Start(TelemetrySettings? telemetry = null)
    {
        _outer.Start();
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Telemetry = telemetry ?? new() });
        _observation = _client.ChannelTo(_wire.Server).ObserveAsync(new CoapRequest(RequestCode.Get, Path));
        _ = ReadAsync(_observation);
        _server.TakeAll(seconds: 0);
    }

    private static async Task ReadAsync(CoapObservation observation)
    {
        await foreach (var _ in observation) { }
    }

    // Answers the last request in its acknowledgement.
    private void Answer(string rest)
    {
        var request = Read(_server.Received.Last(one => Read(one).Code == RequestCode.Get));
        _server.Send($"ACK [0x{request.MessageId.Value:x4}] 2.05 Content (Token 0x{request.Token}) {rest}");
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    private void Notify(string rest)
    {
        var token = Read(_server.Received.Last(one => Read(one).Options.Contains<Observe>())).Token;
        _server.Send($"NON [0x{++_id:x4}] 2.05 Content (Token 0x{token}) {rest}");
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    private static CoapMessage Read(byte[] datagram)
    {
        new DatagramSerializer(OptionRegistry.Default).TryRead(datagram, out var message, out _, out _).Should().BeTrue();
        return message!;
    }
}
