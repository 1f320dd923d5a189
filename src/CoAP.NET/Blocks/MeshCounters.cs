namespace CoAP.Blocks;

/// <summary>
/// Counts the items that links and user-supplied blocks lost, over all lanes of the process. The events are rare, so all lanes share the counters.
/// </summary>
internal static class MeshCounters
{
    private static long _overflows;
    private static long _filtered;
    private static long _refused;

    /// <summary>Items that did not reach a user's block, because its buffer was full or the block had ended.</summary>
    public static long Overflows => Interlocked.Read(ref _overflows);

    /// <summary>Items that a user's filter dropped.</summary>
    public static long Filtered => Interlocked.Read(ref _filtered);

    /// <summary>Items that no block accepted from a port.</summary>
    public static long Refused => Interlocked.Read(ref _refused);

    public static void Overflow() => Interlocked.Increment(ref _overflows);

    public static void Filter() => Interlocked.Increment(ref _filtered);

    public static void Refuse() => Interlocked.Increment(ref _refused);
}
