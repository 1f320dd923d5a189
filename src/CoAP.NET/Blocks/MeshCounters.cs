namespace CoAP.Blocks;

/// <summary>Counts the items that links and user-supplied blocks lost, over all lanes of the process.</summary>
/// <remarks>The events are rare, so all lanes share the counters. They change them only with <see cref="Interlocked"/>.</remarks>
internal static class MeshCounters
{
    /// <summary>Items that did not reach a user's block, because its buffer was full or the block had ended.</summary>
    public static long Overflows;

    /// <summary>Items that a user's filter dropped.</summary>
    public static long Filtered;

    /// <summary>Items that no block accepted from a port.</summary>
    public static long Refused;
}
