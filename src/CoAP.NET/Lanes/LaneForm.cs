namespace CoAP;

/// <summary>Selects how a lane waits for datagrams and other work.</summary>
public enum LaneForm
{
    /// <summary>
    /// Each lane has a thread, which blocks in a batched receive for datagrams and, on Linux, in one wait for all plain connections of the lane. This is
    /// the fastest form.
    /// </summary>
    Thread,

    /// <summary>A lane runs on the thread pool when its sockets become readable. It holds no thread while it waits.</summary>
    ThreadPool,
}
