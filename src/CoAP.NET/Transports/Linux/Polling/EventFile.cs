using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>An event with a descriptor (<c>eventfd(2)</c>), so that a call that waits for sockets can wait for it too. Any thread may set it.</summary>
internal sealed unsafe class EventFile : IDisposable
{
    private readonly SafeFileHandle _file;

    private EventFile(SafeFileHandle file) => _file = file;

    public SafeHandle Handle => _file;

    /// <summary>One to be waited for together with sockets; taking it does not wait.</summary>
    /// <exception cref="SocketException">The system has no descriptor left.</exception>
    public static EventFile Create() =>
        TryCreate(LinuxCalls.EventNonBlocking) ?? throw new SocketException((int)LinuxCalls.LastError);

    /// <summary>One to be waited for by taking it; nothing where the system has no descriptor left.</summary>
    public static EventFile? TryCreateBlocking() => TryCreate(0);

    /// <summary>Forgets that it was set; waits until it is, where it was made for that. Also returns early.</summary>
    public void Take()
    {
        ulong count;
        _ = LinuxCalls.Read(_file, &count, sizeof(ulong));
    }

    public void Set()
    {
        var one = 1UL;
        try
        {
            _ = LinuxCalls.Write(_file, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // Whoever was to be woken has woken by itself and ended between the signal and this call.
        }
    }

    public void Dispose() => _file.Dispose();

    private static EventFile? TryCreate(int flags)
    {
        var file = LinuxCalls.CreateEvent(0, LinuxCalls.EventCloseOnExec | flags);
        return file < 0 ? null : new EventFile(new SafeFileHandle(file, ownsHandle: true));
    }
}
