namespace CoAP.Lanes;

/// <summary>What the synchronous code that the calling thread runs has asked lanes for.</summary>
internal static class SynchronousCalls
{
    [ThreadStatic]
    private static int _waits;

    [ThreadStatic]
    private static bool _isHandler;

    /// <summary>The number of calls on this thread that wait for a lane. A handler with such calls must not run on a lane.</summary>
    public static int Waits => _waits;

    /// <summary>Begins the call of a synchronous handler on its lane. Returns <see cref="Waits"/>.</summary>
    /// <param name="outer">Whether another such handler runs on the thread, for <see cref="EndHandler"/>.</param>
    public static int BeginHandler(out bool outer)
    {
        (outer, _isHandler) = (_isHandler, true);
        return _waits;
    }

    /// <summary>Ends the call of a synchronous handler. Returns <see cref="Waits"/>.</summary>
    public static int EndHandler(bool outer)
    {
        _isHandler = outer;
        return _waits;
    }

    /// <summary>Counts a call that is about to wait for a lane.</summary>
    public static void CountWait() => _waits++;

    /// <summary>Counts a request that begins on a lane, because synchronous code probably waits for the response.</summary>
    /// <remarks>
    /// If a synchronous handler that runs on the lane waited, the lane would stop forever. So its request fails, and the handler is called
    /// on a handler thread from now on.
    /// </remarks>
    /// <param name="isOwnLane">Whether the calling thread runs a turn of the lane.</param>
    /// <exception cref="InvalidOperationException">A synchronous handler runs on the lane.</exception>
    public static void CountRequest(bool isOwnLane)
    {
        _waits++;
        if (_isHandler && isOwnLane)
        {
            throw new InvalidOperationException(
                "A synchronous handler that runs on its lane must not send requests there, because it cannot wait for their responses. "
                + "Its next calls run on handler threads, unless the connection has its own thread (ServerMode.Sync). Make it "
                + "asynchronous, or map it with HandlerMode.Buffered, which has no effect on such a connection. "
                + "If asynchronous code sent the request, because the handler completed its task, create the TaskCompletionSource with "
                + "RunContinuationsAsynchronously.");
        }
    }
}
