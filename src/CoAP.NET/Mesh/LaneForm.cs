namespace CoAP;

/// <summary>How a datagram lane waits for the next datagram.</summary>
public enum LaneForm
{
    /// <summary>A thread of its own that blocks in a batched receive: the fastest form.</summary>
    Thread,

    /// <summary>Awaited readiness on the thread pool, then a drain without blocking: no thread is held while nothing comes.</summary>
    Awaited,
}
