using System.Diagnostics.Metrics;

namespace CoAP.Dtls;

/// <summary>The counters of DTLS, of all endpoints together.</summary>
internal static class DtlsMetrics
{
    private static readonly Meter Meter = new("CoAP.NET.Dtls");

    /// <summary>The sessions that have begun.</summary>
    public static readonly Counter<long> Sessions = Meter.CreateCounter<long>("coap.dtls.sessions", "{session}", "Sessions that have begun.");

    /// <summary>The records that were not authentic, had no session, or were repeated.</summary>
    public static readonly Counter<long> Dropped = Meter.CreateCounter<long>("coap.dtls.dropped", "{record}", "Records that were dropped.");

    /// <summary>The sessions whose peer has another address.</summary>
    public static readonly Counter<long> Moved = Meter.CreateCounter<long>("coap.dtls.moved", "{session}", "Changes of the address of a peer within a session.");
}
