namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits of DTLS.</summary>
internal static class DtlsLimits
{
    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.Dtls!.MaxSessions, "sessions",
            "sessions", "each takes about 1.5 KiB",
            "the oldest session of the account ends; if it has none, the handshake is refused, log. On a client, the session ends that was silent for the longest time", null, "sessions"),
        Row.Server(
            s => s.Dtls!.MaxConcurrentHandshakes, "handshakes",
            "handshakes in progress, after a cookie has proven the address", "each takes about 80 KB",
            "no answer, log; the client repeats its message. On a client, the request fails", null, "session handshakes"),
        Row.Of<DtlsServerSettings>(
            s => s.HandshakeTimeout, "",
            "the time of a handshake", "a silent client must not hold a place",
            "the handshake ends, log"),
        Row.Of<DtlsServerSettings>(
            s => s.SessionTimeout, "",
            "the time of a session without a record", "many devices sleep for hours",
            "the session ends"),
        Row.Of<DtlsServerSettings>(
            s => s.MaxResumableSessions, "sessions",
            "sessions that clients without tickets can resume", "each takes about 1 KB",
            "the oldest one cannot be resumed any more; its client shakes hands in full"),
        Row.Of<DtlsServerSettings>(
            s => s.ResumptionLifetime, "",
            "the time for which a session can be resumed", "who has lost his key is locked out after that",
            "the client shakes hands in full"),
        Row.Of<DtlsServerSettings>(
            s => s.PathCheckTimeout, "",
            "the time in which a peer must answer at a new address", "RFC 9853, section 5.5",
            "the address gets three times its bytes at most; its next record begins another check"),
        Row.Of<DtlsServerSettings>(
            s => s.HandshakeThreads, "threads",
            "computations of handshakes at the same time", "the lanes need the processors, too",
            "further computations wait")
            with { Special = ("the number of processors", Environment.ProcessorCount) },
    ];
}
