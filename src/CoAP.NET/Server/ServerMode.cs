namespace CoAP;

/// <summary>How a server runs its connections.</summary>
public enum ServerMode
{
    /// <summary>A lane for each core, over which connections are spread; how lanes wait says <see cref="CoapEndpointSettings.LaneForm"/>.</summary>
    Async,

    /// <summary>All connections on one thread; on Linux those of TLS and WebSockets on a second one.</summary>
    AsyncSingle,

    /// <summary>A thread for each connection, which blocks in its reads and runs its handlers.</summary>
    Sync,
}
