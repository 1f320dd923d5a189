using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>A few descriptors (<c>ppoll(2)</c>): each wait looks at all of them, which for a few costs less than to have the system keep track.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PollSet : IDisposable
{
    private readonly PollEntry* _entries;
    private readonly int _count;
    private bool _isDisposed;

    /// <param name="files">Watched for input; each is known by its place.</param>
    public PollSet(IReadOnlyList<int> files)
    {
        _count = files.Count;
        _entries = (PollEntry*)NativeMemory.AllocZeroed((nuint)_count, (nuint)sizeof(PollEntry));
        for (var i = 0; i < _count; i++) { _entries[i] = new PollEntry { File = files[i], Wanted = LinuxCalls.PollIn }; }
    }

    /// <summary>Waits until there is something or the time is over; answers whether it could look.</summary>
    public bool Wait(TimeSpan timeout)
    {
        var time = LinuxCalls.ToTimeSpec(timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout);
        return LinuxCalls.Poll(_entries, (nuint)_count, timeout == Timeout.InfiniteTimeSpan ? null : &time, null) >= 0;
    }

    /// <summary>Whether the last wait that could look found something at a place.</summary>
    public bool IsReady(int place) => _entries[place].Happened != 0;

    /// <summary>Whether what it found there are errors.</summary>
    public bool HasErrors(int place) => (_entries[place].Happened & LinuxCalls.PollError) != 0;

    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        NativeMemory.Free(_entries);
    }
}
