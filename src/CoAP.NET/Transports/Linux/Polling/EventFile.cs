using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>An event with a descriptor (<c>eventfd(2)</c>). A call that waits for sockets can wait for it too. Any thread may set it.</summary>
internal sealed unsafe class EventFile(SafeFileHandle file) : IDisposable
{
    public SafeHandle Handle => file;

    /// <summary>Creates an event to wait for together with sockets. <see cref="Reset"/> does not wait.</summary>
    /// <exception cref="SocketException">The process has no descriptor left.</exception>
    public static EventFile Create() =>
        TryCreate(LinuxCalls.EventNonBlocking) ?? throw new SocketException((int)LinuxCalls.LastError);

    /// <summary>Creates an event whose <see cref="Reset"/> waits. Returns <see langword="null"/> if the process has no descriptor left.</summary>
    public static EventFile? TryCreateBlocking() => TryCreate(0);

    /// <summary>Resets the event. A blocking event first waits until it is set; the wait may end early.</summary>
    public void Reset()
    {
        ulong count;
        _ = LinuxCalls.Read(file, &count, sizeof(ulong));
    }

    public void Set()
    {
        var one = 1UL;
        try
        {
            _ = LinuxCalls.Write(file, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // The waiting thread has woken by itself and closed the event between the signal and this call.
        }
    }

    public void Dispose() => file.Dispose();

    private static EventFile? TryCreate(int flags)
    {
        var descriptor = LinuxCalls.CreateEvent(0, LinuxCalls.EventCloseOnExec | flags);
        return descriptor < 0 ? null : new EventFile(new SafeFileHandle(descriptor, ownsHandle: true));
    }
}
