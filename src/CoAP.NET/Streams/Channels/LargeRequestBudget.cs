namespace CoAP.Streams;

/// <summary>Counts the unsent bytes of the large requests on all connections of an endpoint. Safe for concurrent use.</summary>
/// <remarks>Lanes check it before they add, so each may exceed the limit by one request.</remarks>
/// <param name="limit">The largest number of bytes.</param>
internal sealed class LargeRequestBudget(long limit)
{
    private long _used;

    /// <summary>The largest number of bytes.</summary>
    public long Limit => limit;

    /// <summary>The unsent bytes.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Returns whether this many more bytes may be sent: they fit into the limit, or nothing else is unsent.</summary>
    public bool HasRoomFor(long bytes) => Used is var used && (used == 0 || used + bytes <= limit);

    /// <summary>Counts bytes to send.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Subtracts bytes that were sent or dropped.</summary>
    public void Remove(long bytes) => Interlocked.Add(ref _used, -bytes);
}
