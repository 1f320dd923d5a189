namespace CoAP.Lanes;

/// <summary>Checks that a call does not block the lane that it waits for.</summary>
internal static class LaneOwnership
{
    [ThreadStatic]
    private static int _waits;

    [ThreadStatic]
    private static bool _isSynchronous;

    /// <summary>
    /// The number of calls on this thread that wait for a lane. A handler with such calls must not run on a lane.
    /// </summary>
    public static int WaitsOfCaller => _waits;

    /// <summary>Begins the call of a synchronous handler on its lane. Returns <see cref="WaitsOfCaller"/>.</summary>
    public static int BeginSynchronous()
    {
        _isSynchronous = true;
        return _waits;
    }

    /// <summary>Ends the call of a synchronous handler. Returns <see cref="WaitsOfCaller"/>.</summary>
    public static int EndSynchronous()
    {
        _isSynchronous = false;
        return _waits;
    }

    /// <summary>Counts a call that is about to wait for a lane.</summary>
    public static void CountWait() => _waits++;

    /// <summary>
    /// Throws if a synchronous handler begins a request on its own lane while it runs there. If it waited for the response, the lane would
    /// stop for ever. A handler that does so is called on a handler thread from now on.
    /// </summary>
    /// <exception cref="InvalidOperationException">A synchronous handler runs on the lane.</exception>
    public static void ThrowIfHandlerIsSynchronous(this Lane lane)
    {
        _waits++;
        if (_isSynchronous && lane.IsOwnedByCaller)
        {
            throw new InvalidOperationException(
                "A synchronous handler that was quick runs on its lane and must not send requests there, because it cannot wait for their "
                + "responses. Its next calls run on handler threads. Map it with HandlerMode.Buffered, or make it asynchronous.");
        }
    }

    /// <summary>Throws if the calling thread is running a turn of this lane, or of any lane if a scheduler runs them on the same thread.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs the lane, so the lane would wait for itself.</exception>
    public static void ThrowIfOwnedByCaller(this Lane lane)
    {
        CountWait();
        if (lane.IsOwnedByCaller || (lane.Scheduler is not null && Lane.IsAnyOwnedByCaller))
        {
            throw new InvalidOperationException(
                "A handler that runs inline or on the thread of its connection must not block its own lane. Call SendAsync, or map the handler with "
                + "HandlerMode.Buffered. On a connection with its own thread, only SendAsync works.");
        }
    }
}
