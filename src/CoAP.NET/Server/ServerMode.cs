namespace CoAP;

/// <summary>The threads that serve the connections of a server.</summary>
public enum ServerMode
{
    /// <summary>One lane per core. Connections are spread over the lanes. <see cref="CoapEndpointSettings.LaneForm"/> selects how a lane waits.</summary>
    Async,

    /// <summary>
    /// One thread for all connections. On Linux, a second thread serves TLS and WebSockets. Handlers can still run at the same time, for
    /// example on handler threads and on the lanes of datagrams, so they must protect shared state.
    /// </summary>
    AsyncSingle,

    /// <summary>
    /// One thread per connection. It blocks in its reads and runs the handlers, whatever their <see cref="HandlerMode"/>.
    /// </summary>
    Sync,
}
