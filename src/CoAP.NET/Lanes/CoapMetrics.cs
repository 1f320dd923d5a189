using System.Diagnostics.Metrics;
using CoAP.Transports;

namespace CoAP.Lanes;

/// <summary>The instruments of the meter "CoAP.NET": histograms are written as things happen, the counters of the lanes are read when asked.</summary>
internal static class CoapMetrics
{
    public const string MeterName = "CoAP.NET";

    private static readonly Meter Meter = new(MeterName);

    private static readonly Histogram<double> ClientDuration =
        Meter.CreateHistogram<double>("coap.client.request.duration", "s", "From the first transmission of a request to its response or failure.");

    private static readonly Histogram<double> ServerDuration =
        Meter.CreateHistogram<double>("coap.server.request.duration", "s", "From the call of the handler to its answer.");

    private static readonly Lock Gate = new();
    private static readonly HashSet<LaneMetrics> Lanes = [];
    private static readonly LaneMetrics Ended = new();

    static CoapMetrics()
    {
        Meter.CreateObservableCounter("coap.messages.received", () => ByTypeAndCode(static lane => lane.ReceivedByTypeAndCode), "{message}");
        Meter.CreateObservableCounter("coap.messages.sent", () => ByTypeAndCode(static lane => lane.SentByTypeAndCode), "{message}");
        Count("coap.retransmissions", "Confirmable messages that were sent again.", static lane => lane.Retransmissions);
        Count("coap.duplicates", "Messages that were received again.", static lane => lane.Duplicates);
        Count("coap.message_ids.reused", "Message IDs that were used again before their quarantine was over.", static lane => lane.ReusedMessageIds);
        Count("coap.message_ids.reused_by_peer", "Messages that came with the ID of another message.", static lane => lane.PeersReusingMessageIds);
        Count("coap.malformed", "Messages that broke the format.", static lane => lane.Malformed);
        Count("coap.unmatched", "Responses, acknowledgements and Resets that belonged to nothing.", static lane => lane.Unmatched);
        Count("coap.answers.unacknowledged", "Separate responses that nobody acknowledged.", static lane => lane.UnacknowledgedAnswers);
        Count("coap.answers.late", "Answers that came after their connection had ended.", static lane => lane.LateAnswers);
        Meter.CreateObservableCounter("coap.connections.aborted", () => Sum(static lane => lane.AbortedConnections), "{connection}", "Connections that were ended because the peer broke a rule or took too long.");
        Meter.CreateObservableCounter("coap.connections.accepted", static () => ConnectionCounters.Accepted, "{connection}", "Connections that were let in.");
        Meter.CreateObservableCounter("coap.connections.refused", static () => ConnectionCounters.Refused, "{connection}", "Connections that were closed at once because of a limit.");
        Meter.CreateObservableUpDownCounter("coap.connections.active", static () => ConnectionCounters.Active, "{connection}", "Connections that were let in and have not ended.");
        Meter.CreateObservableCounter("coap.handshakes.failed", static () => ConnectionCounters.FailedHandshakes, "{connection}", "Connections that could not be secured.");
        Count("coap.multicast.ignored", "Messages to a group that were no non-confirmable requests.", static lane => lane.IgnoredMulticasts);
        Count("coap.multicast.suppressed", "Answers to multicast requests that were not sent.", static lane => lane.SuppressedAnswers);
        Count("coap.multicast.answers_dropped", "Answers of groups that a slow reader had no room for.", static lane => lane.DroppedGroupAnswers);
        Count("coap.answers.limited", "Answers that were too large for an unverified address.", static lane => lane.LimitedAnswers);
        Count("coap.requests.failed", "Requests of ours that ended without a response.", static lane => lane.FailedRequests);
        Count("coap.notifications", "Notifications that were begun, repetitions not counted.", static lane => lane.Notifications);
        Count("coap.observations.declined", "Requests to observe that a limit turned into ordinary ones.", static lane => lane.DeclinedObservations);
        Count("coap.observations.unsaved", "Changes that the store of observations was too slow for.", static lane => lane.UnsavedObservations);
        Meter.CreateObservableUpDownCounter("coap.observations.active", () => Sum(static lane => lane.ActiveObservations), "{observation}");
        Meter.CreateObservableCounter("coap.dropped", Dropped, "{message}", "Messages that were dropped, with the reason.");
        Meter.CreateObservableUpDownCounter("coap.requests.active", () => Sum(static lane => lane.ActiveExchanges), "{request}");
        Meter.CreateObservableGauge(
            "coap.deduplication.window", DeduplicationWindow, "s", "The age of the oldest message that is remembered, to recognize duplicates; of several lanes, the least.");
    }

    public static bool IsServerDurationWanted => ServerDuration.Enabled;

    /// <summary>Has the meter read a lane's counters from now on.</summary>
    public static void Add(LaneMetrics lane)
    {
        lock (Gate) { Lanes.Add(lane); }
    }

    /// <summary>The lane has ended; what it counted stays counted.</summary>
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

    private static void Count(string name, string description, Func<LaneMetrics, long> read) =>
        Meter.CreateObservableCounter(name, () => Sum(read), "{message}", description);

    private static long Sum(Func<LaneMetrics, long> read)
    {
        lock (Gate) { return Lanes.Sum(read) + read(Ended); }
    }

    private static double DeduplicationWindow()
    {
        lock (Gate) { return TimeSpan.FromTicks(Lanes.Select(static lane => lane.DeduplicationWindow).Where(static window => window > 0).DefaultIfEmpty().Min()).TotalSeconds; }
    }

    private static IEnumerable<Measurement<long>> Dropped() =>
    [
        new(Sum(static lane => lane.DroppedForOverload), new KeyValuePair<string, object?>("reason", "overload")),
        new(Sum(static lane => lane.DroppedAtEnd), new KeyValuePair<string, object?>("reason", "shutdown")),
    ];

    private static List<Measurement<long>> ByTypeAndCode(Func<LaneMetrics, long[]> read)
    {
        var measurements = new List<Measurement<long>>();
        for (var index = 0; index < LaneMetrics.TypesAndCodes; index++)
        {
            var at = index;
            var count = Sum(lane => at < read(lane).Length ? read(lane)[at] : 0);
            if (count == 0) { continue; }
            measurements.Add(new Measurement<long>(
                count, new("coap.message.type", ((MessageType)(index >> 8)).ToString()), new("coap.message.code", new CoapCode((byte)index).ToString())));
        }
        return measurements;
    }
}
