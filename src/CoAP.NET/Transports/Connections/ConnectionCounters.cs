namespace CoAP.Transports;

/// <summary>Counts the connections that the servers of this process accept and refuse. All counters but <see cref="Active"/> never decrease.</summary>
/// <remarks>
/// Safe for concurrent use: acceptors and connections increment atomically, and a read is one load. <see cref="TransportCounters"/> is the
/// counterpart for datagrams.
/// </remarks>
internal static class ConnectionCounters
{
    private static long _active;
    private static long _accepted;
    private static long _refused;
    private static long _failedAccepts;
    private static long _failedHandshakes;

    /// <summary>The accepted connections that are open now.</summary>
    public static long Active => Volatile.Read(ref _active);

    /// <summary>The connections that were accepted.</summary>
    public static long Accepted => Volatile.Read(ref _accepted);

    /// <summary>The connections that were closed at once because of a limit.</summary>
    public static long Refused => Volatile.Read(ref _refused);

    /// <summary>The attempts to accept that failed, for example because the process has no descriptor left.</summary>
    public static long FailedAccepts => Volatile.Read(ref _failedAccepts);

    /// <summary>The connections that were closed because their TLS handshake failed.</summary>
    public static long FailedHandshakes => Volatile.Read(ref _failedHandshakes);

    public static void OnAccepted()
    {
        Interlocked.Increment(ref _active);
        Interlocked.Increment(ref _accepted);
    }

    public static void OnClosed() => Interlocked.Decrement(ref _active);

    public static void OnRefused() => Interlocked.Increment(ref _refused);

    public static void OnAcceptFailed() => Interlocked.Increment(ref _failedAccepts);

    public static void OnHandshakeFailed() => Interlocked.Increment(ref _failedHandshakes);
}
