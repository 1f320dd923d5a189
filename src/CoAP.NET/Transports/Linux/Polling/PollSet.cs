using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>A few descriptors (<c>ppoll(2)</c>). Each wait checks all of them, which is cheaper than an epoll set if there are few.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PollSet : IDisposable
{
    private readonly PollEntry* _entries;
    private readonly int _count;

    /// <param name="files">The descriptors to watch for input. The index of each identifies it.</param>
    public PollSet(IReadOnlyList<int> files)
    {
        _count = files.Count;
        // The system writes the entries at each wait. They have their own cache lines, because the buffers of the next lane may follow.
        var size = (nuint)((_count * sizeof(PollEntry)) + UdpTransport.Gap - 1) / UdpTransport.Gap * UdpTransport.Gap;
        _entries = (PollEntry*)NativeMemory.AlignedAlloc(size, UdpTransport.Gap);
        for (var i = 0; i < _count; i++) { _entries[i] = new PollEntry { File = files[i], Wanted = LinuxCalls.PollIn }; }
    }

    /// <summary>Waits for input until the timeout passes. Returns <see langword="false"/> if the call failed.</summary>
    public bool Wait(TimeSpan timeout)
    {
        var time = LinuxCalls.ToTimeSpec(timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout);
        return LinuxCalls.Poll(_entries, (nuint)_count, timeout == Timeout.InfiniteTimeSpan ? null : &time, null) >= 0;
    }

    /// <summary>Returns whether the last successful wait found an event for a descriptor.</summary>
    public bool IsReady(int index) => _entries[index].Happened != 0;

    /// <summary>Returns whether that event is an error.</summary>
    public bool HasErrors(int index) => (_entries[index].Happened & LinuxCalls.PollError) != 0;

    public void Dispose()
    {
        NativeMemory.AlignedFree(_entries);
    }
}
