namespace CoAP;

/// <summary>The thread that calls a handler.</summary>
/// <remarks>
/// <para>A request with a payload above <see cref="CoapEndpointSettings.MaxInlinePayload"/> (default: 2,048 bytes) runs on a handler thread
/// in every mode.</para>
/// <para>With <see cref="ServerMode.Sync"/>, the thread of a connection calls its handlers in every mode, also for large payloads. It must
/// not wait for a request over <see cref="IncomingRequest.Channel"/>. Handlers that read a body while it arrives
/// (<see cref="ResourceBodyExtensions.StreamsBody"/>) still run on other threads, unless they are <see cref="Inline"/>.</para>
/// </remarks>
public enum HandlerMode
{
    /// <summary>
    /// A handler thread takes the request from a bounded queue. The handler may be slow and may block. Code after its first
    /// <see langword="await"/> runs on the thread pool.
    /// </summary>
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
    /// <para>The handler may block now and then for a few milliseconds. If a call can take longer, map it as <see cref="Buffered"/>;
    /// otherwise it can delay all clients of its thread until it has been moved.</para>
    /// <para>While the handler runs inline, the server adds up the time of calls that take more than 100 µs and deducts 2 % of the elapsed
    /// time. If the sum exceeds 5 ms, the handler is slow.</para>
    /// <para>If a handler can wait for another request, map it as <see cref="Buffered"/>: while it runs inline, its lane receives nothing.
    /// <see cref="CoapEndpointSettings.LearnsHandlers"/> disables learning.</para>
    /// </remarks>
    Learned,
}
