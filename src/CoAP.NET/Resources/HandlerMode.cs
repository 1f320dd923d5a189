namespace CoAP;

/// <summary>Where a handler is called.</summary>
public enum HandlerMode
{
    /// <summary>
    /// Behind a bounded buffer, on a thread that is there for that: the handler may take its time and may block. The default of synchronous
    /// handlers.
    /// </summary>
    Buffered,

    /// <summary>
    /// On the thread that received the request: the fastest way, for handlers that answer at once or become asynchronous soon. The default
    /// of asynchronous handlers. One that holds the thread for long is moved to <see cref="Buffered"/> and named in the log.
    /// </summary>
    Inline,
}
