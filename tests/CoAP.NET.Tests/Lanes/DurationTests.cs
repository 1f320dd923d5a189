using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using CoAP.TestSupport;

namespace CoAP.Tests.Lanes;

/// <summary>The histograms of requests. Other tests make requests at the same time, so each test looks only at its own route or error.</summary>
public sealed class DurationTests : IDisposable
{
    private readonly ConcurrentQueue<(string Instrument, double Value, Dictionary<string, object?> Tags)> _recorded = new();
    private readonly MeterListener _listener = new();
    private readonly Wire _wire = new(new ManualClock());
    private readonly string _root = $"t{Guid.NewGuid():N}";

    public DurationTests()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == CoapTelemetry.MeterName && instrument is Histogram<double>) { listener.EnableMeasurementEvents(instrument); }
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => _recorded.Enqueue((instrument.Name, value, Copy(tags))));
        _listener.Start();
    }

    public void Dispose() => _listener.Dispose();

    [Theory]
    [InlineData("GET", "2.05", null)]
    [InlineData("DELETE", "5.00", "System.InvalidOperationException")]
    [InlineData("PUT", "4.05", null)]
    public void A_received_request_is_recorded_with_its_route(string method, string code, string? error)
    {
        using var client = ScriptedPeer.Client(_wire);
        using var server = LaneEnd.Server(_wire, map => map.At($"{_root}/{{id}}")
            .Get(_ => Response.Content("x"), HandlerMode.Inline)
            .Delete(CoapResponse (_) => throw new InvalidOperationException("broken"), HandlerMode.Inline));

        client.Send($"CON [0x0001] {method} /{_root}/7 (Token 0x01)");
        client.TakeAll(seconds: 1);

        var (instrument, _, tags) = _recorded.Should().ContainSingle(one => Equals(one.Tags.GetValueOrDefault("coap.route"), $"/{_root}/{{id}}")).Subject;
        instrument.Should().Be("coap.server.request.duration");
        var expected = new Dictionary<string, object?>
        {
            ["coap.route"] = $"/{_root}/{{id}}",
            ["coap.request.method"] = method,
            ["coap.response.code"] = code,
            ["network.transport"] = "inmemory",
            ["url.scheme"] = "coap",
        };
        if (error is not null) { expected["error.type"] = error; }
        tags.Should().BeEquivalentTo(expected, "the path, which the peer chooses, is no attribute");
    }

    [Fact]
    public void The_duration_of_a_request_begins_with_its_reception()
    {
        var late = new LateAnswer();
        using var client = ScriptedPeer.Client(_wire);
        using var server = LaneEnd.Server(_wire, map => map.At(_root).Get(late.HandleAsync));
        client.Send($"CON [0x0001] GET /{_root} (Token 0x01)");
        client.TakeAll(seconds: 3);

        late.Answer(Response.Content("x"));
        client.TakeAll(seconds: 1);

        _recorded.Should().ContainSingle(one => Equals(one.Tags.GetValueOrDefault("coap.route"), $"/{_root}")).Which.Value.Should().BeApproximately(3, 0.3);
    }

    [Theory]
    [InlineData("2.05 Content", null)]
    [InlineData("4.04", "4.04")]
    public void A_sent_request_is_recorded_with_its_outcome(string answer, string? error)
    {
        using var server = ScriptedPeer.Server(_wire);
        using var client = LaneEnd.Client(_wire);
        var call = client.Send(new CoapRequest(RequestCode.Fetch, $"/{_root}"));
        server.Expect($"CON [X] FETCH /{_root} (Token T)");

        server.Send($"ACK [X] {answer} (Token T)");
        _wire.RunUntilIdle(TimeSpan.Zero);

        call.IsCompletedSuccessfully.Should().BeTrue();
        _recorded.Should().Contain(one => one.Instrument == "coap.client.request.duration" && Equals(one.Tags["coap.request.method"], "FETCH")
            && Equals(one.Tags["network.transport"], "inmemory") && Equals(one.Tags.GetValueOrDefault("error.type"), error));
    }

    [Fact]
    public void A_canceled_request_is_recorded()
    {
        using var server = ScriptedPeer.Server(_wire);
        using var client = LaneEnd.Client(_wire);
        using var cancellation = new CancellationTokenSource();
        _ = client.Send(new CoapRequest(RequestCode.Patch, $"/{_root}"), cancellationToken: cancellation.Token);
        server.Expect($"CON [X] PATCH /{_root} (Token T)");

        cancellation.Cancel();
        _wire.RunUntilIdle(TimeSpan.Zero);

        _recorded.Should().ContainSingle(one => one.Instrument == "coap.client.request.duration" && Equals(one.Tags["coap.request.method"], "PATCH")
            && Equals(one.Tags.GetValueOrDefault("error.type"), "canceled") && Equals(one.Tags["url.scheme"], "coap"));
    }

    // Nothing listens to spans here.
    [Fact]
    public void A_request_without_a_response_is_recorded()
    {
        var late = new LateAnswer();
        using var client = ScriptedPeer.Client(_wire);
        var server = LaneEnd.Server(_wire, map => map.At(_root).Get(late.HandleAsync));
        client.Send($"CON [0x0001] GET /{_root} (Token 0x01)");
        client.TakeAll(seconds: 3);

        server.Dispose();

        var tags = _recorded.Should().ContainSingle(one => Equals(one.Tags.GetValueOrDefault("coap.route"), $"/{_root}")).Which.Tags;
        (tags["error.type"], tags.ContainsKey("coap.response.code")).Should().Be(("lost", false));
    }

    private static Dictionary<string, object?> Copy(ReadOnlySpan<KeyValuePair<string, object?>> tags) => tags.ToArray().ToDictionary(tag => tag.Key, tag => tag.Value);
}
