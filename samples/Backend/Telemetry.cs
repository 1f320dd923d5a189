using CoAP;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Backend;

/// <summary>Sends metrics and traces to a collector.</summary>
internal static class Telemetry
{
    public static void Add(IServiceCollection services, BackendSettings settings)
    {
        if (settings.Otlp is not { } collector) { return; }
        services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics
                .AddMeter(CoapTelemetry.MeterName, DtlsTelemetry.MeterName, "System.Runtime", "Npgsql")
                .AddOtlpExporter(exporter => exporter.Endpoint = collector))
            .WithTracing(traces => traces
                .AddSource(CoapTelemetry.ActivitySourceName, "Npgsql")
                .AddOtlpExporter(exporter => exporter.Endpoint = collector));
    }
}
