using System.Diagnostics.Metrics;

namespace CoAP.Lanes;

/// <summary>The meter "CoAP.NET": its histograms, and the counters of all lanes.</summary>
internal static class CoapMetrics
{
    public const string MeterName = "CoAP.NET";

    private static readonly Meter Meter = new(MeterName);

    private static readonly Histogram<double> ClientDuration =
        Meter.CreateHistogram<double>("coap.client.request.duration", "s", "The time from the first transmission of a request to its response or failure.");

    private static readonly Histogram<double> ServerDuration =
        Meter.CreateHistogram<double>("coap.server.request.duration", "s", "The time from the call of the handler to its answer.");

    private static readonly Lock Gate = new();
    private static readonly HashSet<LaneMetrics> Lanes = [];
    private static readonly LaneMetrics Ended = new();

    static CoapMetrics() => CoapInstruments.AddTo(Meter);

    public static bool IsServerDurationWanted => ServerDuration.Enabled;

    /// <summary>Adds the counters of a lane to the meter.</summary>
    public static void Add(LaneMetrics lane)
    {
        lock (Gate) { Lanes.Add(lane); }
    }

    /// <summary>Removes the counters of a lane that has ended. Their values stay in the sums.</summary>
    public static void Remove(LaneMetrics lane)
    {
        lock (Gate)
        {
            if (Lanes.Remove(lane)) { Ended.Absorb(lane); }
        }
    }

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

    /// <summary>Returns the sum of a counter over all lanes, including those that have ended.</summary>
    public static long Sum(Func<LaneMetrics, long> read)
    {
        lock (Gate) { return Lanes.Sum(read) + read(Ended); }
    }

    /// <summary>Returns the value of a counter for each lane that has not ended.</summary>
    public static long[] Each(Func<LaneMetrics, long> read)
    {
        lock (Gate) { return [.. Lanes.Select(read)]; }
    }
}
