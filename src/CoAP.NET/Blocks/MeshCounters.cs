namespace CoAP.Blocks;

/// <summary>What links and user-supplied blocks lost, over all lanes of the process. Each event is rare, so the counters are shared.</summary>
internal static class MeshCounters
{
    private static long _overflows;
    private static long _filtered;
    private static long _refused;

    /// <summary>Items that found the buffer in front of a user's block full, or the block gone.</summary>
    public static long Overflows => Interlocked.Read(ref _overflows);

    /// <summary>Items that a user's filter dropped.</summary>
    public static long Filtered => Interlocked.Read(ref _filtered);

    /// <summary>Items that nothing took at the end of a port.</summary>
    public static long Refused => Interlocked.Read(ref _refused);

    public static void Overflow() => Interlocked.Increment(ref _overflows);

    public static void Filter() => Interlocked.Increment(ref _filtered);

    public static void Refuse() => Interlocked.Increment(ref _refused);
}
