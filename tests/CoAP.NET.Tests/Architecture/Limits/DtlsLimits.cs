namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits of DTLS.</summary>
internal static class DtlsLimits
{
    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.Dtls!.MaxSessions, "sessions",
            "sessions", "each takes about 2 KiB",
            "the account's oldest session on the lane ends; if it has none there, the new session is refused with an alert, log. On a client, the session ends that was silent for the longest time", null, "sessions"),
        Row.Server(
            s => s.Dtls!.MaxConcurrentHandshakes, "handshakes",
            "handshakes in progress, after a cookie has proven the address", "each takes about 80 KB",
            "a new one takes the place of one of its account that has made no progress for four flight timeouts (4 s) or, if all places are taken, "
            + "of one of another account; otherwise no answer, log, and the client repeats its message. On a client, the request fails", null, "session handshakes"),
        Row.Of<DtlsServerSettings>(
            s => s.HandshakeTimeout, "",
            "the duration of a handshake", "a silent client must not hold a place",
            "the handshake fails, log"),
        Row.Of<DtlsServerSettings>(
            s => s.SessionTimeout, "",
            "the time without a record after which a session ends", "many devices sleep for hours",
            "the session ends; the device needs a new handshake"),
        Row.Of<DtlsServerSettings>(
            s => s.MaxResumableSessions, "sessions",
            "sessions that clients without tickets can resume, for each kind of key", "each takes about 1 KB",
            "the oldest one can no longer be resumed; its client needs a full handshake"),
        Row.Of<DtlsServerSettings>(
            s => s.ResumptionLifetime, "",
            "the time for which a session can be resumed", "a client whose key was withdrawn is locked out after that",
            "the client needs a full handshake"),
        Row.Of<DtlsServerSettings>(
            s => s.PathCheckTimeout, "",
            "the time within which a peer must answer the first challenge at a new address, if three round trips are shorter", "RFC 9853, section 5.5",
            "the address gets at most three times its bytes; the next record from it starts another check"),
        Row.Of<DtlsServerSettings>(
            s => s.MaxPreSharedKeyIdentity, "bytes",
            "the identity of a pre-shared key for which the store is asked", "OpenSSL reads no longer one",
            "the identity counts as unknown: the handshake fails as with a wrong key, log"),
        Row.Of<DtlsServerSettings>(
            s => s.HandshakeThreads, "threads",
            "handshakes that are computed at the same time", "the lanes need the processors too",
            "further handshakes wait")
            with { Special = ("the number of processors", Environment.ProcessorCount) },
    ];
}
