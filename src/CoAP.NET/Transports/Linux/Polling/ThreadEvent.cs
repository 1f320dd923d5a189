namespace CoAP.Transports;

/// <summary>An event on which one thread sleeps. Sleeping and waking cost one system call each; a contended monitor costs several.</summary>
/// <remarks>Each thread that has ever slept here holds one descriptor. It is freed some time after the thread has ended.</remarks>
internal sealed class ThreadEvent
{
    // The library must not use up the descriptors of the process. Further threads use a monitor.
    private const int MaxCount = 1024;

    private static int _count;

    [ThreadStatic]
    private static ThreadEvent? _current;

    private readonly EventFile _event;

    private ThreadEvent(EventFile file)
    {
        _event = file;
        Interlocked.Increment(ref _count);
    }

    ~ThreadEvent() => Interlocked.Decrement(ref _count);

    /// <summary>The event of the calling thread. <see langword="null"/> if the system has no such events, or too many exist.</summary>
    public static ThreadEvent? Current => _current ??= Create();

    /// <summary>Sleeps until the event is set. Returns at once if it is already set. May return early.</summary>
    public void Wait() => _event.Reset();

    public void Set() => _event.Set();

    private static ThreadEvent? Create() =>
        LinuxCalls.IsSupported && Volatile.Read(ref _count) < MaxCount && EventFile.TryCreateBlocking() is { } file ? new ThreadEvent(file) : null;
}
