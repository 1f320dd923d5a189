using System.Diagnostics.Metrics;

namespace CoAP.Lanes;

/// <summary>The meter "CoAP.NET": its histograms, and the counters of all lanes.</summary>
internal static class CoapMeter
{
    private static readonly Meter Meter = new(CoapTelemetry.MeterName);

    private static readonly Histogram<double> ClientDuration =
        Meter.CreateHistogram<double>("coap.client.request.duration", "s", "The time from the first transmission of a request to its response or failure.");

    private static readonly Histogram<double> ServerDuration =
        Meter.CreateHistogram<double>("coap.server.request.duration", "s", "The time from the call of the handler to its answer.");

    static CoapMeter() => CoapInstruments.AddTo(Meter);

    public static bool IsServerDurationWanted => ServerDuration.Enabled;

    /// <summary>Adds the counters of a lane to the meter.</summary>
    public static void Add(LaneCounters lane) => LaneCounters.Group.Add(lane);

    public static void RecordRequest(CoapCode method, CoapCode code, TimeSpan duration)
    {
        if (!ClientDuration.Enabled) { return; }
        ClientDuration.Record(duration.TotalSeconds, new("coap.request.method", method.ToString()), new("coap.response.code", code.ToString()));
    }

    public static void RecordFailure(CoapCode method, Exception error, TimeSpan duration)
    {
        if (!ClientDuration.Enabled) { return; }
        ClientDuration.Record(duration.TotalSeconds, new("coap.request.method", method.ToString()), new("error.type", error.GetType().Name));
    }

    public static void RecordAnswer(CoapCode method, CoapCode code, TimeSpan duration) =>
        ServerDuration.Record(duration.TotalSeconds, new("coap.request.method", method.ToString()), new("coap.response.code", code.ToString()));
}
