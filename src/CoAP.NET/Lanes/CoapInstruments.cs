using System.Diagnostics.Metrics;
using CoAP.Blocks;
using CoAP.Transports;

namespace CoAP.Lanes;

/// <summary>The observable instruments of the meter, which report the counters of lanes, links, connections and sockets.</summary>
internal static class CoapInstruments
{
    public static void AddTo(Meter meter)
    {
        AddMessages(meter);
        AddServing(meter);
        AddConnections(meter);
        AddSockets(meter);
        AddMesh(meter);
    }

    private static void AddMessages(Meter meter)
    {
        meter.CreateObservableCounter(
            "coap.messages.received", () => ByTypeAndCode(static lane => lane.ReceivedByTypeAndCode), "{message}", "Messages that were received.");
        meter.CreateObservableCounter(
            "coap.messages.sent", () => ByTypeAndCode(static lane => lane.SentByTypeAndCode), "{message}", "Messages that were sent.");
        Count(meter, "coap.retransmissions", "Confirmable messages that were sent again.", static lane => lane.Retransmissions);
        Count(meter, "coap.duplicates", "Messages that were received again.", static lane => lane.Duplicates);
        Count(meter, "coap.message_ids.reused", "Message IDs that were reused before their quarantine was over.", static lane => lane.ReusedMessageIds);
        Count(meter, "coap.message_ids.reused_by_peer", "Messages that arrived with the ID of another message.", static lane => lane.PeersReusingMessageIds);
        Count(meter, "coap.malformed", "Messages that broke the format.", static lane => lane.Malformed);
        Count(meter, "coap.unmatched", "Responses, acknowledgements and Resets that matched no exchange.", static lane => lane.Unmatched);
        Count(
            meter, "coap.deduplication.forgotten", "Answers that deduplication forgot before EXCHANGE_LIFETIME was over, because it had no room.",
            static lane => lane.ForgottenAnswers);
        meter.CreateObservableGauge(
            "coap.deduplication.window", DeduplicationWindow, "s",
            "The age of the oldest message that deduplication remembers. The smallest value of all lanes.");
        meter.CreateObservableCounter("coap.dropped", Dropped, "{message}", "Messages that were dropped, by reason.");
    }

    private static void AddServing(Meter meter)
    {
        meter.CreateObservableCounter("coap.requests.ended", RequestEnds, "{request}", "Received requests, by how they ended.");
        meter.CreateObservableUpDownCounter(
            "coap.requests.active", () => CoapMetrics.Sum(static lane => lane.ActiveExchanges), "{request}", "Requests in progress, received and sent.");
        Count(meter, "coap.requests.failed", "Requests of this endpoint that ended without a response.", static lane => lane.FailedRequests);
        Count(meter, "coap.answers.unacknowledged", "Separate responses that were not acknowledged.", static lane => lane.UnacknowledgedAnswers);
        Count(meter, "coap.answers.late", "Answers that came after their connection had ended.", static lane => lane.LateAnswers);
        Count(meter, "coap.answers.limited", "Answers that were too large for an unverified address.", static lane => lane.LimitedAnswers);
        Count(meter, "coap.multicast.ignored", "Messages to a group that were not non-confirmable requests.", static lane => lane.IgnoredMulticasts);
        Count(meter, "coap.multicast.suppressed", "Answers to multicast requests that were not sent.", static lane => lane.SuppressedAnswers);
        Count(meter, "coap.multicast.answers_dropped", "Answers from groups for which a slow reader had no room.", static lane => lane.DroppedGroupAnswers);
        Count(meter, "coap.notifications", "Notifications that were sent. Retransmissions do not count.", static lane => lane.Notifications);
        Count(meter, "coap.observations.declined", "Requests to observe that a limit turned into plain requests.", static lane => lane.DeclinedObservations);
        Count(
            meter, "coap.observations.unsaved", "Changes of observations that were not stored, because the store was too slow.",
            static lane => lane.UnsavedObservations);
        meter.CreateObservableUpDownCounter(
            "coap.observations.active", () => CoapMetrics.Sum(static lane => lane.ActiveObservations), "{observation}", "Observations of clients.");
    }

    private static void AddConnections(Meter meter)
    {
        Connection(meter, "coap.connections.accepted", "Connections that were accepted.", static () => ConnectionCounters.Accepted);
        Connection(meter, "coap.connections.refused", "Connections that were closed at once because of a limit.", static () => ConnectionCounters.Refused);
        Connection(meter, "coap.connections.accept_failed", "Connections that the system could not accept.", static () => ConnectionCounters.FailedAccepts);
        Connection(
            meter, "coap.connections.aborted", "Connections that were ended because the peer broke a rule or took too long.",
            static () => CoapMetrics.Sum(static lane => lane.AbortedConnections));
        Connection(meter, "coap.handshakes.failed", "Connections that could not be secured.", static () => ConnectionCounters.FailedHandshakes);
        meter.CreateObservableUpDownCounter("coap.connections.active", static () => ConnectionCounters.Active, "{connection}", "Connections that are open.");
    }

    private static void AddSockets(Meter meter)
    {
        Datagram(meter, "coap.datagrams.received", "Datagrams that were received.", static counters => counters.DatagramsReceived);
        Datagram(meter, "coap.datagrams.sent", "Datagrams that were sent.", static counters => counters.DatagramsSent);
        Datagram(
            meter, "coap.datagrams.overflow", "Datagrams that the kernel dropped because the receive buffer was full.",
            static counters => counters.ReceiveOverflow);
        Datagram(meter, "coap.datagrams.oversized", "Datagrams that were too large to receive.", static counters => counters.Oversized);
        Datagram(meter, "coap.datagrams.send_failures", "Datagrams that the system did not send.", static counters => counters.SendFailures);
        Datagram(meter, "coap.datagrams.network_errors", "Datagrams that the network reported as undelivered.", static counters => counters.NetworkErrors);
    }

    private static void AddMesh(Meter meter)
    {
        meter.CreateObservableCounter(
            "coap.mesh.overflows", static () => MeshCounters.Overflows, "{item}",
            "Items that did not reach a user's block, because its buffer was full or the block had ended.");
        meter.CreateObservableCounter("coap.mesh.filtered", static () => MeshCounters.Filtered, "{item}", "Items that a user's filter dropped.");
        meter.CreateObservableCounter("coap.mesh.refused", static () => MeshCounters.Refused, "{item}", "Items that no block accepted from a port.");
    }

    private static void Count(Meter meter, string name, string description, Func<LaneMetrics, long> read) =>
        meter.CreateObservableCounter(name, () => CoapMetrics.Sum(read), "{message}", description);

    private static void Connection(Meter meter, string name, string description, Func<long> read) =>
        meter.CreateObservableCounter(name, read, "{connection}", description);

    private static void Datagram(Meter meter, string name, string description, Func<TransportCounters, long> read) =>
        meter.CreateObservableCounter(name, () => TransportCounters.Total(read), "{datagram}", description);

    private static double DeduplicationWindow() =>
        TimeSpan.FromTicks(CoapMetrics.Each(static lane => lane.DeduplicationWindow).Where(static window => window > 0).DefaultIfEmpty().Min()).TotalSeconds;

    private static IEnumerable<Measurement<long>> Dropped() =>
    [
        new(CoapMetrics.Sum(static lane => lane.DroppedForOverload), new KeyValuePair<string, object?>("reason", "overload")),
        new(CoapMetrics.Sum(static lane => lane.DroppedAtEnd), new KeyValuePair<string, object?>("reason", "shutdown")),
    ];

    private static IEnumerable<Measurement<long>> RequestEnds() => Enum.GetValues<RequestEnd>().Select(static end => new Measurement<long>(
        CoapMetrics.Sum(lane => lane.RequestEnds[(int)end]), new KeyValuePair<string, object?>("coap.request.end", end.ToString())));

    private static List<Measurement<long>> ByTypeAndCode(Func<LaneMetrics, long[]> read)
    {
        var measurements = new List<Measurement<long>>();
        for (var index = 0; index < LaneMetrics.TypesAndCodes; index++)
        {
            var at = index;
            var count = CoapMetrics.Sum(lane => at < read(lane).Length ? read(lane)[at] : 0);
            if (count == 0) { continue; }
            measurements.Add(new Measurement<long>(
                count, new("coap.message.type", ((MessageType)(index >> 8)).ToString()), new("coap.message.code", new CoapCode((byte)index).ToString())));
        }
        return measurements;
    }
}
