namespace CoAP.Measurements.Servers.Hosting;

/// <summary>How a server runs its connections and handlers.</summary>
internal enum ServerModel
{
    /// <summary>Loops of all connections on one thread.</summary>
    Single,

    /// <summary>Loops on all cores.</summary>
    Cores,

    /// <summary>A thread for each connection.</summary>
    Threads,

    /// <summary>Loops on all cores, and threads behind a buffer for handlers that block.</summary>
    Mixed,
}
