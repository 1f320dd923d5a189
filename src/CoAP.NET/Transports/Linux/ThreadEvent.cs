using Microsoft.Win32.SafeHandles;

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

    private readonly SafeFileHandle _file;

    private ThreadEvent(SafeFileHandle file)
    {
        _file = file;
        Interlocked.Increment(ref _count);
    }

    ~ThreadEvent() => Interlocked.Decrement(ref _count);

    /// <summary>The calling thread's; none where the system has no such thing or no descriptor left, or many threads have one.</summary>
    public static ThreadEvent? OfThread => _ofThread ??= Create();

    /// <summary>Sleeps until the event is set, which it may have been before; also returns early.</summary>
    public unsafe void Wait()
    {
        ulong count;
        var held = false;
        _file.DangerousAddRef(ref held);
        _ = LinuxCalls.Read((int)_file.DangerousGetHandle(), &count, sizeof(ulong));
        _file.DangerousRelease();
    }

    public unsafe void Set()
    {
        var one = 1UL;
        _ = LinuxCalls.Write(_file, &one, sizeof(ulong));
    }

    private static ThreadEvent? Create()
    {
        if (!LinuxCalls.IsSupported || Volatile.Read(ref _count) >= Most) { return null; }
        var file = LinuxCalls.CreateEvent(0, LinuxCalls.EventCloseOnExec);
        return file < 0 ? null : new ThreadEvent(new SafeFileHandle(file, ownsHandle: true));
    }
}
