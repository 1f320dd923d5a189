namespace CoAP.Transports;

/// <summary>What the calling thread sleeps on and others wake it with: one call into the system each, where a monitor needs several when they meet.</summary>
/// <remarks>One descriptor for each thread that has ever slept here, freed some time after its end.</remarks>
internal sealed class ThreadEvent
{
    // More threads than these meet at a monitor: the descriptors of the process are not ours to use up.
    private const int Most = 1024;

    private static int _count;

    [ThreadStatic]
    private static ThreadEvent? _ofThread;

    private readonly EventFile _event;

    private ThreadEvent(EventFile file)
    {
        _event = file;
        Interlocked.Increment(ref _count);
    }

    ~ThreadEvent() => Interlocked.Decrement(ref _count);

    /// <summary>The calling thread's; none where the system has no such thing or no descriptor left, or many threads have one.</summary>
    public static ThreadEvent? OfThread => _ofThread ??= Create();

    /// <summary>Sleeps until the event is set, which it may have been before; also returns early.</summary>
    public void Wait() => _event.Take();

    public void Set() => _event.Set();

    private static ThreadEvent? Create() =>
        LinuxCalls.IsSupported && Volatile.Read(ref _count) < Most && EventFile.TryCreateBlocking() is { } file ? new ThreadEvent(file) : null;
}
