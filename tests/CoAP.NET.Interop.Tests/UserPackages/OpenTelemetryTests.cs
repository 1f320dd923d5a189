using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>OpenTelemetry collects what the page on telemetry promises. Uses only the public surface.</summary>
public sealed class OpenTelemetryTests
{
    [Fact]
    public async Task A_request_leaves_two_spans_and_two_durations()
    {
        var (spans, metrics) = (new List<Activity>(), new List<Metric>());
        using var traces = Sdk.CreateTracerProviderBuilder().AddSource(CoapTelemetry.ActivitySourceName).AddInMemoryExporter(spans).Build();
        using var meters = Sdk.CreateMeterProviderBuilder().AddMeter(CoapTelemetry.MeterName).AddInMemoryExporter(metrics).Build();
        var network = new InMemoryNetwork();

        await using (var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("telemetry")] }))
        {
            server.Resources.At("sensors/{id}").Get(_ => Response.Content("x"));
            server.Start();
            await using var client = new CoapClient(new CoapClientSettings { Network = network });
            (await client.GetAsync("coap://telemetry/sensors/7")).IsSuccess.Should().BeTrue();
        }
        traces.ForceFlush();
        meters.ForceFlush();

        spans.Select(span => span.DisplayName).Should().Contain(["GET", "GET /sensors/{id}"]);
        metrics.Select(metric => metric.Name).Should().Contain(["coap.server.request.duration", "coap.client.request.duration", "coap.dropped"]);
    }
}
