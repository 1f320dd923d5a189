using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>A set of descriptors (<c>epoll(7)</c>). One call waits for all of them, and its cost does not grow with their number.</summary>
/// <remarks>One thread owns the set. A descriptor leaves the set when it is closed.</remarks>
internal sealed unsafe class Epoll : IDisposable
{
    private readonly SafeFileHandle _set;
    private readonly byte* _entries;
    private readonly int _maxEvents;

    /// <param name="maxEvents">The largest number of events that one wait returns.</param>
    /// <exception cref="SocketException">The process has no descriptor left.</exception>
    public Epoll(int maxEvents)
    {
        _maxEvents = maxEvents;
        _set = new SafeFileHandle(EpollCalls.Create(EpollCalls.CloseOnExec), ownsHandle: true);
        if (_set.IsInvalid) { throw new SocketException((int)LinuxCalls.LastError); }
        _entries = (byte*)NativeMemory.Alloc((nuint)maxEvents, (nuint)EpollEntry.Size);
    }

    /// <summary>The number of events that the last wait returned.</summary>
    public int Count { get; private set; }

    /// <summary>Whether there may be more events than the last wait returned.</summary>
    public bool MayHaveMore => Count == _maxEvents;

    /// <summary>Adds a descriptor. The key identifies its events.</summary>
    public SocketError Watch(SafeHandle file, uint events, ulong key)
    {
        var entry = stackalloc byte[EpollEntry.Size];
        EpollEntry.Write(entry, events, key);
        return EpollCalls.Control(_set, EpollCalls.Add, file, entry) == 0 ? SocketError.Success : LinuxCalls.LastError;
    }

    /// <summary>Waits for events until the timeout passes. A timeout of zero does not wait.</summary>
    public void Wait(TimeSpan timeout)
    {
        // Rounded up, because a lane that wakes too early would only sleep again.
        var milliseconds = timeout == Timeout.InfiniteTimeSpan ? -1 : (int)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, int.MaxValue);
        Count = Math.Max(0, EpollCalls.Wait(_set, _entries, _maxEvents, milliseconds));
    }

    /// <summary>Returns the key of an event.</summary>
    public ulong KeyAt(int index) => EpollEntry.DataOf(_entries + (index * EpollEntry.Size));

    /// <summary>Returns the flags of an event.</summary>
    public uint EventsAt(int index) => EpollEntry.EventsOf(_entries + (index * EpollEntry.Size));

    public void Dispose()
    {
        if (_set.IsClosed) { return; }
        _set.Dispose();
        NativeMemory.Free(_entries);
    }
}
