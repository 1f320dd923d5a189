using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Tool.Benchmarking;

/// <summary>Waits until one of many sockets can be read (epoll).</summary>
internal sealed unsafe class Readiness : IDisposable
{
    private const int Capacity = 256, LargestEvent = 16, AddSocket = 1;
    private const uint Readable = 1;

    // The system packs the structure on x64 and nowhere else.
    private static readonly int EventSize = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : LargestEvent;
    private static readonly int NumberOffset = EventSize - sizeof(long);

    private readonly byte* _events = (byte*)NativeMemory.AllocZeroed(Capacity, LargestEvent);
    private readonly int _poll = LinuxCalls.CreatePoll(0);

    /// <summary>Adds a socket under a number.</summary>
    public void Add(Socket socket, int number)
    {
        var pollEvent = stackalloc byte[LargestEvent];
        *(uint*)pollEvent = Readable;
        *(long*)(pollEvent + NumberOffset) = number;
        if (LinuxCalls.ControlPoll(_poll, AddSocket, (int)socket.Handle, pollEvent) < 0) { throw new Win32Exception(Marshal.GetLastPInvokeError()); }
    }

    /// <summary>Waits and returns how many sockets are ready.</summary>
    public int Wait(int milliseconds) => Math.Max(0, LinuxCalls.WaitForPoll(_poll, _events, Capacity, milliseconds));

    /// <summary>Returns the number of a ready socket.</summary>
    public int NumberAt(int index) => (int)*(long*)(_events + (index * EventSize) + NumberOffset);

    public void Dispose()
    {
        _ = LinuxCalls.Close(_poll);
        NativeMemory.Free(_events);
    }
}
