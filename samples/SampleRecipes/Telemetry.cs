using CoAP;
using OpenTelemetry;

namespace SampleRecipes;

/// <summary>The recipe of metrics and traces.</summary>
internal static class Telemetry
{
    public static void Export(IHostApplicationBuilder builder)
    {
        builder.Services.AddOpenTelemetry().UseOtlpExporter()
            .WithMetrics(metrics => metrics.AddMeter(CoapTelemetry.MeterName))
            .WithTracing(traces => traces.AddSource(CoapTelemetry.ActivitySourceName));
    }
}
