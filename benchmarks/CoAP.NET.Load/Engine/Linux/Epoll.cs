using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Load;

/// <summary>Readiness of many sockets at the same cost as of few (Linux).</summary>
internal sealed unsafe class Epoll : IReadiness
{
    private const int Batch = 256, LargestEvent = 16;
    private const short PollIn = 1;
    private const long Second = 1_000_000_000;

    // The system packs the structure on x64 and nowhere else.
    private static readonly int Size = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : LargestEvent;
    private static readonly int NumberOffset = Size - sizeof(long);

    private readonly byte* _events = (byte*)NativeMemory.AllocZeroed(Batch, LargestEvent);
    private readonly int _poll = Check(LinuxCalls.CreatePoll(0));

    public void Add(Socket socket, int number) => Control(LinuxCalls.AddSocket, socket, number, LinuxCalls.Readable);

    public void WatchWrites(Socket socket, int number, bool isWanted) =>
        Control(LinuxCalls.ChangeSocket, socket, number, LinuxCalls.Readable | (isWanted ? LinuxCalls.Writable : 0));

    public void Remove(Socket socket, int number) => Control(LinuxCalls.RemoveSocket, socket, number, 0);

    public int Wait(long nanoseconds)
    {
        // Its own time-out counts in milliseconds, which is too coarse for an open loop.
        if (nanoseconds is > 0 and < Second && nanoseconds % Clock.Millisecond != 0)
        {
            var file = new PollFile { File = _poll, Wanted = PollIn };
            var time = new TimeSpec { Nanoseconds = nanoseconds };
            if (LinuxCalls.WaitForFiles(&file, 1, &time, null) <= 0) { return 0; }
            nanoseconds = 0;
        }

        return Math.Max(0, LinuxCalls.WaitForPoll(_poll, _events, Batch, (int)(nanoseconds / Clock.Millisecond)));
    }

    public int NumberAt(int index) => (int)*(long*)(_events + (index * Size) + NumberOffset);

    public bool IsReadable(int index) => (EventAt(index) & ~LinuxCalls.Writable) != 0;

    public bool IsWritable(int index) => (EventAt(index) & LinuxCalls.Writable) != 0;

    public void Dispose()
    {
        _ = LinuxCalls.Close(_poll);
        NativeMemory.Free(_events);
    }

    private static int Check(int result) => result >= 0 ? result : throw new Win32Exception(Marshal.GetLastPInvokeError());

    private uint EventAt(int index) => *(uint*)(_events + (index * Size));

    private void Control(int operation, Socket socket, int number, uint wanted)
    {
        var pollEvent = stackalloc byte[LargestEvent];
        *(uint*)pollEvent = wanted;
        *(long*)(pollEvent + NumberOffset) = number;
        Check(LinuxCalls.ControlPoll(_poll, operation, (int)socket.Handle, pollEvent));
    }
}
