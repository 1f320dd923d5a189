namespace CoAP;

/// <summary>How a server runs its connections.</summary>
public enum ServerMode
{
    /// <summary>Loops of awaited readiness on all cores.</summary>
    Async,

    /// <summary>All connections on one thread.</summary>
    AsyncSingle,

    /// <summary>A thread for each connection, which blocks in its reads and runs its handlers.</summary>
    Sync,
}
