using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Tool.LoadEngine;

/// <summary>Waits until one of many sockets can be read. Many sockets cost as little as few.</summary>
internal sealed unsafe class Epoll : IDisposable
{
    private const int Batch = 256, LargestEvent = 16, AddSocket = 1, RemoveSocket = 2, NoSuchCall = 38;
    private const uint Readable = 1;

    // The system packs the structure on x64 and nowhere else.
    private static readonly int Size = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : LargestEvent;
    private static readonly int NumberOffset = Size - sizeof(long);
    private static readonly bool IsPrecise = HasPreciseWait();

    private readonly byte* _events = LinuxCalls.Allocate<byte>(Batch * LargestEvent);
    private readonly int _poll = LinuxCalls.CreatePoll(0);

    public void Add(Socket socket, int number) => Control(AddSocket, socket, number);

    public void Remove(Socket socket, int number) => Control(RemoveSocket, socket, number);

    /// <summary>Waits for at most the given time and returns how many sockets are ready.</summary>
    /// <remarks>An older system counts in milliseconds. Then the last fraction is not waited for, so that no request is sent late.</remarks>
    public int Wait(long nanoseconds)
    {
        var time = new TimeSpec { Seconds = nanoseconds / Clock.Second, Nanoseconds = nanoseconds % Clock.Second };
        return Math.Max(0, IsPrecise
            ? LinuxCalls.WaitForPoll(_poll, _events, Batch, &time, null)
            : LinuxCalls.WaitForPoll(_poll, _events, Batch, (int)(nanoseconds / Clock.Millisecond)));
    }

    /// <summary>Returns the number of a ready socket.</summary>
    public int NumberAt(int index) => (int)*(long*)(_events + (index * Size) + NumberOffset);

    public void Dispose()
    {
        _ = LinuxCalls.Close(_poll);
        NativeMemory.Free(_events);
    }

    private static bool HasPreciseWait()
    {
        try
        {
            var none = new TimeSpec();
            var room = stackalloc byte[LargestEvent];
            return LinuxCalls.WaitForPoll(-1, room, 1, &none, null) >= 0 || Marshal.GetLastPInvokeError() != NoSuchCall;
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    private void Control(int operation, Socket socket, int number)
    {
        var pollEvent = stackalloc byte[LargestEvent];
        *(uint*)pollEvent = Readable;
        *(long*)(pollEvent + NumberOffset) = number;
        if (LinuxCalls.ControlPoll(_poll, operation, (int)socket.Handle, pollEvent) < 0) { throw new Win32Exception(Marshal.GetLastPInvokeError()); }
    }
}
