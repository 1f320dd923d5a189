namespace CoAP.Transports;

/// <summary>Counts the connections that the servers of this process accept and refuse. The counters never decrease.</summary>
/// <remarks>
/// Acceptors and connections of many threads share the counters, so they change them only with <see cref="Interlocked"/>.
/// <see cref="TransportCounters"/> is the counterpart for datagrams.
/// </remarks>
internal static class ConnectionCounters
{
    /// <summary>The connections that were accepted.</summary>
    public static long Accepted;

    /// <summary>The connections that were closed at once because of a limit.</summary>
    public static long Refused;

    /// <summary>The attempts to accept that failed, for example because the process has no descriptor left.</summary>
    public static long FailedAccepts;

    /// <summary>The connections that were closed because their TLS handshake failed.</summary>
    public static long FailedHandshakes;
}
