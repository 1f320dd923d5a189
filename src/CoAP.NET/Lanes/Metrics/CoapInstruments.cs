using System.Diagnostics.Metrics;
using CoAP.Accounting;
using CoAP.Blocks;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The observable instruments of the meter, which report the counters of lanes, links, connections and sockets.</summary>
internal static class CoapInstruments
{
    public static void AddTo(Meter meter)
    {
        LaneCounters.Group.AddTo(meter);
        TransportCounters.Group.AddTo(meter);
        LedgerMetrics.AddTo(meter);
        AddLanes(meter);
        AddConnections(meter);
        AddMesh(meter);
        DroppedMessages.AddTo(meter);
    }

    private static void AddLanes(Meter meter)
    {
        meter.CreateObservableCounter("coap.message.received", () => ByTypeAndCode(isSent: false), "{message}", "Messages that were received.");
        meter.CreateObservableCounter("coap.message.sent", () => ByTypeAndCode(isSent: true), "{message}", "Messages that were sent.");
        meter.CreateObservableCounter("coap.request.ended", RequestEnds, "{request}", "Received requests, by how they ended.");
        meter.CreateObservableUpDownCounter(
            "coap.request.active", () => Current(LaneCounters.ActiveExchanges), "{request}", "Requests in progress, received and sent.");
        meter.CreateObservableUpDownCounter(
            "coap.server.active_requests", () => Current(LaneCounters.ActiveServerRequests), "{request}", "Received requests in progress.");
        meter.CreateObservableUpDownCounter(
            "coap.client.active_requests", () => Current(LaneCounters.ActiveExchanges) - Current(LaneCounters.ActiveServerRequests), "{request}",
            "Sent requests in progress.");
        meter.CreateObservableUpDownCounter("coap.lane.count", () => LaneCounters.Group.Each(LaneCounters.BusyTime).Length, "{lane}", "Lanes that run.");
        meter.CreateObservableCounter(
            "coap.lane.busy_time", () => TimeSpan.FromTicks(LaneCounters.BusyTime.Sum()).TotalSeconds, "s",
            "The time that lanes have worked. Divided by the number of lanes and the elapsed time, it is their utilization.");
        meter.CreateObservableUpDownCounter(
            "coap.observation.active", () => Current(LaneCounters.ActiveObservations), "{observation}", "Observations of clients.");
        meter.CreateObservableGauge(
            "coap.deduplication.window", DeduplicationWindow, "s",
            "The age of the oldest message that deduplication remembers. The smallest value of all lanes.");
    }

    private static void AddConnections(Meter meter)
    {
        Connection(meter, "coap.connection.accepted", "Connections that were accepted.", static () => ConnectionCounters.Accepted);
        Connection(meter, "coap.connection.refused", "Connections that were closed at once because of a limit.", static () => ConnectionCounters.Refused);
        Connection(meter, "coap.connection.accept_failed", "Connections that the system could not accept.", static () => ConnectionCounters.FailedAccepts);
        Connection(
            meter, "coap.connection.aborted", "Connections that were ended because the peer broke a rule or took too long.",
            LaneCounters.AbortedConnections.Sum);
        Connection(meter, "coap.handshake.failed", "Connections that could not be secured.", static () => ConnectionCounters.FailedHandshakes);
        meter.CreateObservableUpDownCounter(
            "coap.connection.active", static () => LedgerMetrics.Sum(static ledger => ledger.Connections.Used + ledger.WebSockets.Used), "{connection}",
            "Connections that are open.");
    }

    private static void AddMesh(Meter meter)
    {
        meter.CreateObservableCounter(
            "coap.mesh.overflows", static () => MeshCounters.Overflows, "{item}",
            "Items that did not reach a user's block, because its buffer was full or the block had ended.");
        meter.CreateObservableCounter("coap.mesh.filtered", static () => MeshCounters.Filtered, "{item}", "Items that a user's filter dropped.");
        meter.CreateObservableCounter("coap.mesh.refused", static () => MeshCounters.Refused, "{item}", "Items that no block accepted from a port.");
    }

    private static void Connection(Meter meter, string name, string description, Func<long> read) =>
        meter.CreateObservableCounter(name, read, "{connection}", description);

    // Lanes that have ended do not count.
    private static long Current(Counter counter) => LaneCounters.Group.Each(counter).Sum();

    private static double DeduplicationWindow() => TimeSpan.FromTicks(
        LaneCounters.Group.Each(LaneCounters.DeduplicationWindow).Where(static window => window > 0).DefaultIfEmpty().Min()).TotalSeconds;

    private static IEnumerable<Measurement<long>> RequestEnds() => Enum.GetValues<RequestEnd>().Select(static end => new Measurement<long>(
        LaneCounters.Group.Sum(LaneCounters.PlaceOf(end)), new KeyValuePair<string, object?>("coap.request.end", end.ToString())));

    private static List<Measurement<long>> ByTypeAndCode(bool isSent)
    {
        var measurements = new List<Measurement<long>>();
        for (var index = 0; index < LaneCounters.TypesAndCodes; index++)
        {
            var count = LaneCounters.Group.Sum(LaneCounters.PlaceOf(index, isSent));
            if (count == 0) { continue; }
            measurements.Add(new Measurement<long>(
                count, new("coap.message.type", ((MessageType)(index >> 8)).ToString()), new("coap.message.code", new CoapCode((byte)index).ToString())));
        }
        return measurements;
    }
}
