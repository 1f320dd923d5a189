using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>Tells which of many sockets have something, at a price that does not grow with their number.</summary>
internal sealed unsafe class ReadySockets : IDisposable
{
    private const int AtOnce = 64;

    private readonly SafeFileHandle _set;
    private readonly byte* _entries;
    private int _count;

    /// <param name="files">The sockets; each is known by its place.</param>
    /// <param name="wake">Ends a wait, and is known by the place after them.</param>
    /// <exception cref="SocketException">The system has no descriptor left.</exception>
    public ReadySockets(IReadOnlyList<SafeHandle> files, SafeHandle wake)
    {
        _set = new SafeFileHandle(EpollCalls.Create(EpollCalls.CloseOnExec), ownsHandle: true);
        if (_set.IsInvalid) { throw new SocketException((int)LinuxCalls.LastError); }
        _entries = (byte*)NativeMemory.Alloc(AtOnce, (nuint)EpollEntry.Size);
        for (var i = 0; i < files.Count; i++) { Watch(files[i], (ulong)i); }
        Watch(wake, (ulong)files.Count);
    }

    /// <summary>How many were found by the last wait.</summary>
    public int Count => _count;

    /// <summary>The place of one that was found.</summary>
    public int this[int found] => (int)EpollEntry.DataOf(_entries + (found * EpollEntry.Size));

    /// <summary>Waits until at least one has something, or for so many milliseconds; -1 for ever.</summary>
    public void Wait(int milliseconds) => _count = Math.Max(0, EpollCalls.Wait(_set, _entries, AtOnce, milliseconds));

    /// <summary>Whether one that was found reports errors.</summary>
    public bool HasErrors(int found) => (EpollEntry.EventsOf(_entries + (found * EpollEntry.Size)) & EpollCalls.Failed) != 0;

    public void Dispose()
    {
        if (_set.IsClosed) { return; }
        _set.Dispose();
        NativeMemory.Free(_entries);
    }

    private void Watch(SafeHandle file, ulong place)
    {
        var entry = stackalloc byte[EpollEntry.Size];
        EpollEntry.Write(entry, EpollCalls.Readable, place);
        if (EpollCalls.Control(_set, EpollCalls.Add, file, entry) != 0) { throw new SocketException((int)LinuxCalls.LastError); }
    }
}
