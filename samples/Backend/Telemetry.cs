using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Backend;

/// <summary>Sends metrics and traces to a collector.</summary>
internal static class Telemetry
{
    private const string CoapName = "CoAP.NET";

    public static void Add(IServiceCollection services, BackendSettings settings)
    {
        if (settings.Otlp is not { } collector) { return; }
        services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics
                .AddMeter(CoapName, "System.Runtime", "Npgsql")
                .AddOtlpExporter(exporter => exporter.Endpoint = collector))
            .WithTracing(traces => traces
                .AddSource(CoapName, "Npgsql")
                .AddOtlpExporter(exporter => exporter.Endpoint = collector));
    }
}
