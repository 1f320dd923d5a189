namespace CoAP;

/// <summary>How a lane waits for what comes next.</summary>
public enum LaneForm
{
    /// <summary>
    /// A thread of its own that blocks in the system: in a batched receive for datagrams, and on Linux for all its plain connections at
    /// once. The fastest form.
    /// </summary>
    Thread,

    /// <summary>Awaited readiness on the thread pool, then a drain without blocking: no thread is held while nothing comes.</summary>
    Awaited,
}
