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
    /// The handler begins <see cref="Buffered"/>. After 64 quick calls in a row, each of less than 100 µs, it runs <see cref="Inline"/>.
    /// When it becomes slow, it runs buffered again; after the third time, it stays so. The default of synchronous handlers.
    /// </summary>
    /// <remarks>
    /// Map a handler that sometimes waits for another request as <see cref="Buffered"/>: while it runs inline, its lane receives nothing.
    /// <see cref="CoapEndpointSettings.LearnsHandlers"/> switches learning off.
    /// </remarks>
    Learned,
}
