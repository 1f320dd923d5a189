namespace CoAP;

/// <summary>The thread that calls a handler.</summary>
public enum HandlerMode
{
    /// <summary>A handler thread takes the request from a bounded queue. The handler may be slow and may block.</summary>
    Buffered,

    /// <summary>
    /// The thread that received the request calls the handler. This is the fastest form, for handlers that answer at once or soon await. The default of
    /// asynchronous handlers. A handler that is repeatedly slow becomes <see cref="Buffered"/>, and a log line names it.
    /// </summary>
    Inline,

    /// <summary>
    /// The handler starts <see cref="Buffered"/>. After 64 calls in a row of at most 100 µs each, it runs <see cref="Inline"/>. If it
    /// becomes slow, it returns to the handler threads; after the third return, it stays there. The default of synchronous handlers.
    /// </summary>
    /// <remarks>
    /// What counts is the time of calls of more than 100 µs, less 2 % of the time that passes meanwhile: above 5 ms, the handler is slow.
    /// If a handler can wait for another request, map it as <see cref="Buffered"/>: while it runs inline, its lane receives nothing.
    /// <see cref="CoapEndpointSettings.LearnsHandlers"/> disables learning.
    /// </remarks>
    Learned,
}
