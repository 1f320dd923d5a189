namespace CoAP.Transports;

/// <summary>The connections that servers of this process have let in and turned away. Safe for concurrent use.</summary>
internal static class ConnectionCounters
{
    private static long _active;
    private static long _accepted;
    private static long _refused;
    private static long _failedHandshakes;

    /// <summary>Let in, and not ended yet.</summary>
    public static long Active => Volatile.Read(ref _active);

    /// <summary>Let in since the process began.</summary>
    public static long Accepted => Volatile.Read(ref _accepted);

    /// <summary>Closed at once because of a limit.</summary>
    public static long Refused => Volatile.Read(ref _refused);

    /// <summary>Closed because they could not be secured.</summary>
    public static long FailedHandshakes => Volatile.Read(ref _failedHandshakes);

    public static void OnEntered()
    {
        Interlocked.Increment(ref _active);
        Interlocked.Increment(ref _accepted);
    }

    public static void OnLeft() => Interlocked.Decrement(ref _active);

    public static void OnRefused() => Interlocked.Increment(ref _refused);

    public static void OnHandshakeFailed() => Interlocked.Increment(ref _failedHandshakes);
}
