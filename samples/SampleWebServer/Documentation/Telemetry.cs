using System.Diagnostics.Metrics;
using CoAP;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace SampleWebServer;

/// <summary>The code of the page "Metrics and traces".</summary>
internal static class Telemetry
{
    public static void Export(IHostApplicationBuilder builder)
    {
        builder.Services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics.AddMeter(CoapTelemetry.MeterName).AddOtlpExporter())
            .WithTracing(traces => traces.AddSource(CoapTelemetry.ActivitySourceName).AddOtlpExporter());
    }

    public static (CoapServerSettings Backend, CoapClientSettings Device) WithTraceContext()
    {
        var device = new CoapClientSettings { Telemetry = new() { SendsTraceContext = true } };
        var backend = new CoapServerSettings { Telemetry = new() { TrustsTraceContext = true } };
        return (backend, device);
    }

    public static MeterListener CountDrops(Action<string?, long> report)
    {
        var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == CoapTelemetry.MeterName && instrument.Name == "coap.dropped") { listener.EnableMeasurementEvents(instrument); }
        };
        listener.SetMeasurementEventCallback<long>((_, count, tags, _) => report(tags[0].Value as string, count));
        listener.Start();
        return listener;
    }
}
