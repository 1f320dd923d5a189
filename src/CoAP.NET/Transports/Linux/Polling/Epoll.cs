using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>A set of descriptors (<c>epoll(7)</c>): one call waits for all of them, at a price that does not grow with their number.</summary>
/// <remarks>Owned by one thread. A descriptor leaves the set when it is closed.</remarks>
internal sealed unsafe class Epoll : IDisposable
{
    private readonly SafeFileHandle _set;
    private readonly byte* _entries;
    private readonly int _atOnce;

    /// <param name="atOnce">The most that one wait finds.</param>
    /// <exception cref="SocketException">The system has no descriptor left.</exception>
    public Epoll(int atOnce)
    {
        _atOnce = atOnce;
        _set = new SafeFileHandle(EpollCalls.Create(EpollCalls.CloseOnExec), ownsHandle: true);
        if (_set.IsInvalid) { throw new SocketException((int)LinuxCalls.LastError); }
        _entries = (byte*)NativeMemory.Alloc((nuint)atOnce, (nuint)EpollEntry.Size);
    }

    /// <summary>How many the last wait found.</summary>
    public int Count { get; private set; }

    /// <summary>Whether there may be more than the last wait found.</summary>
    public bool MayHaveMore => Count == _atOnce;

    /// <summary>Adds a descriptor, which is known by its key from then on.</summary>
    public SocketError Watch(SafeHandle file, uint events, ulong key)
    {
        var entry = stackalloc byte[EpollEntry.Size];
        EpollEntry.Write(entry, events, key);
        return EpollCalls.Control(_set, EpollCalls.Add, file, entry) == 0 ? SocketError.Success : LinuxCalls.LastError;
    }

    /// <summary>Waits until something is found or the time is over; zero only looks.</summary>
    public void Wait(TimeSpan timeout)
    {
        // Rounded up: a lane that wakes too early would only sleep again.
        var milliseconds = timeout == Timeout.InfiniteTimeSpan ? -1 : (int)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, int.MaxValue);
        Count = Math.Max(0, EpollCalls.Wait(_set, _entries, _atOnce, milliseconds));
    }

    /// <summary>The key of one that was found.</summary>
    public ulong KeyAt(int found) => EpollEntry.DataOf(_entries + (found * EpollEntry.Size));

    /// <summary>What happened to one that was found.</summary>
    public uint EventsAt(int found) => EpollEntry.EventsOf(_entries + (found * EpollEntry.Size));

    public void Dispose()
    {
        if (_set.IsClosed) { return; }
        _set.Dispose();
        NativeMemory.Free(_entries);
    }
}
