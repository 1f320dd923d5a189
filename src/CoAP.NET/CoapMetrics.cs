using System.Diagnostics.Metrics;

namespace CoAP;

/// <summary>The instruments of the meter "CoAP.NET" that are written as things happen; the counters of the lanes are read when asked.</summary>
internal static class CoapMetrics
{
    public const string MeterName = "CoAP.NET";

    public static readonly Meter Meter = new(MeterName);

    private static readonly Histogram<double> RequestDuration =
        Meter.CreateHistogram<double>("coap.client.request.duration", "s", "From the first transmission of a request to its response or failure.");

    private static readonly Histogram<double> HandlerDuration =
        Meter.CreateHistogram<double>("coap.server.request.duration", "s", "From the arrival of a request to its answer, where a handler did not answer at once.");

    public static bool IsHandlerDurationWanted => HandlerDuration.Enabled;

    public static void RecordRequest(CoapCode method, CoapCode code, TimeSpan duration)
    {
        if (!RequestDuration.Enabled) { return; }
        RequestDuration.Record(duration.TotalSeconds, new("coap.request.method", method.ToString()), new("coap.response.code", code.ToString()));
    }

    public static void RecordFailure(CoapCode method, Exception error)
    {
        if (!RequestDuration.Enabled) { return; }
        RequestDuration.Record(0, new("coap.request.method", method.ToString()), new("error.type", error.GetType().Name));
    }
}
