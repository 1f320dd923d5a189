namespace CoAP.Lanes;

/// <summary>Checks that a call does not block the lane that it waits for.</summary>
internal static class LaneOwnership
{
    /// <summary>Throws if the calling thread is running a turn of this lane, or of any lane if none of them has a thread.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs the lane, so the lane would wait for itself.</exception>
    public static void ThrowIfOwnedByCaller(this Lane lane)
    {
        SynchronousCalls.CountWait();
        if (lane.IsOwnedByCaller || (!lane.Runtime.HasThreads && Lane.IsAnyOwnedByCaller))
        {
            throw new InvalidOperationException(
                "A handler that runs inline or on the thread of its connection must not block its own lane. Call SendAsync, or map the handler with "
                + "HandlerMode.Buffered. On a connection with its own thread, only SendAsync works.");
        }
    }
}
