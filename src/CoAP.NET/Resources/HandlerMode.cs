namespace CoAP;

/// <summary>The thread that calls a handler.</summary>
public enum HandlerMode
{
    /// <summary>
    /// A handler thread takes the request from a bounded queue. The handler may be slow and may block. The default of synchronous handlers.
    /// </summary>
    Buffered,

    /// <summary>
    /// The thread that received the request calls the handler. This is the fastest form, for handlers that answer at once or soon await. The default of
    /// asynchronous handlers. A handler that is repeatedly slow becomes <see cref="Buffered"/>, and a log line names it.
    /// </summary>
    Inline,
}
