using System.Diagnostics.Metrics;

namespace CoAP.Dtls;

/// <summary>The counters of DTLS, of all endpoints together.</summary>
internal static class DtlsMetrics
{
    private static readonly Meter Meter = new(DtlsTelemetry.MeterName);

    /// <summary>The sessions that have begun.</summary>
    public static readonly Counter<long> Sessions = Meter.CreateCounter<long>("coap.dtls.sessions", "{session}", "Sessions that were started by a handshake.");

    private static readonly Counter<long> Dropped = Meter.CreateCounter<long>("coap.dtls.dropped", "{record}", "Records that were dropped.");

    private static readonly Counter<long> FailedHandshakes = Meter.CreateCounter<long>("coap.dtls.handshake.failed", "{handshake}", "Handshakes that have failed.");

    /// <summary>The sessions whose peer has another address.</summary>
    public static readonly Counter<long> Moved = Meter.CreateCounter<long>("coap.dtls.moved", "{session}", "Changes of the address of a peer within a session.");

    /// <summary>Counts a record that is dropped.</summary>
    /// <param name="reason">Why: "plain", "no_session", "not_authentic", "replayed", "too_long", "too_many_hellos" or "lane_busy".</param>
    public static void Drop(string reason) => Dropped.Add(1, new KeyValuePair<string, object?>("coap.drop.reason", reason));

    /// <summary>Counts a handshake that has failed.</summary>
    /// <param name="reason">Why: "key", "certificate", "name", "protocol", "timeout", "network" or "limit".</param>
    public static void Fail(string reason) => FailedHandshakes.Add(1, new KeyValuePair<string, object?>("error.type", reason));
}
