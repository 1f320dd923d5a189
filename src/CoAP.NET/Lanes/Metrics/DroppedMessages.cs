using System.Diagnostics.Metrics;
using CoAP.Accounting;
using CoAP.Blocks;
using CoAP.Transports;

namespace CoAP.Lanes;

/// <summary>
/// The instrument <c>coap.dropped</c>: everything that was dropped, ignored or refused, by reason. Most of it is messages. Limits also refuse connections,
/// handshakes and sessions, and a mesh drops items.
/// </summary>
internal static class DroppedMessages
{
    private const string Malformed = "malformed";
    private const string Limit = "limit";

    private static readonly (string Reason, Func<long> Read)[] Reasons =
    [
        ("overload", LaneCounters.DroppedForOverload.Sum),
        ("shutdown", LaneCounters.DroppedAtEnd.Sum),
        ("unmatched", LaneCounters.Unmatched.Sum),
        ("duplicate", LaneCounters.IgnoredDuplicates.Sum),
        ("no_message_id", LaneCounters.WithoutMessageId.Sum),
        ("rate", LaneCounters.TooFrequent.Sum),
        ("request_ended", LaneCounters.SkippedRequests.Sum),
        ("amplification", LaneCounters.LimitedAnswers.Sum),
        ("multicast_ignored", LaneCounters.IgnoredMulticasts.Sum),
        ("multicast_suppressed", LaneCounters.SuppressedAnswers.Sum),
        ("group_reader_slow", LaneCounters.DroppedGroupAnswers.Sum),
        ("connection_ended", LaneCounters.LateAnswers.Sum),
        ("peer_not_reading", LaneCounters.UnreadAnswers.Sum),
        ("mesh_overflow", static () => MeshCounters.Overflows),
        ("mesh_filtered", static () => MeshCounters.Filtered),
        ("mesh_refused", static () => MeshCounters.Refused),
        ("receive_buffer_full", TransportCounters.ReceiveOverflow.Sum),
        ("oversized", TransportCounters.Oversized.Sum),
        ("send_failed", TransportCounters.SendFailures.Sum),
    ];

    public static void AddTo(Meter meter) =>
        meter.CreateObservableCounter("coap.dropped", Read, "{item}", "What was dropped, ignored or refused, by reason.");

    private static List<Measurement<long>> Read()
    {
        List<Measurement<long>> all = [.. Reasons.Select(static one => new Measurement<long>(one.Read(), Of(one.Reason)))];
        foreach (var error in Enum.GetValues<FormatError>())
        {
            if (error == FormatError.None) { continue; }
            all.Add(new(LaneCounters.Group.Sum(LaneCounters.PlaceOf(error)), Of(Malformed), new("coap.format_error", error.ToString())));
        }
        foreach (var (resource, refused) in LedgerMetrics.Refused()) { all.Add(new(refused, Of(Limit), new("coap.ledger.resource", resource))); }
        return all;
    }

    private static KeyValuePair<string, object?> Of(string reason) => new("coap.drop.reason", reason);
}
