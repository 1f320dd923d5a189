using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Servers.Load;

/// <summary>Readiness of many sockets on one thread, so that the generator costs as little of the shared machine as it can. Linux only.</summary>
internal sealed partial class Epoll : IDisposable
{
    private const int Add = 1;
    private const uint Readable = 1;
    private const int Batch = 512;

    // The system packs the structure on x64 and nowhere else.
    private static readonly int Size = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;
    private static readonly int DataAt = Size - sizeof(long);

    private readonly byte[] _events = new byte[Batch * 16];
    private readonly int _descriptor = Checked(Create(0));

    /// <summary>Watches a socket for input.</summary>
    public void Watch(nint descriptor, int number)
    {
        Span<byte> one = stackalloc byte[16];
        MemoryMarshal.Write(one, Readable);
        MemoryMarshal.Write(one[DataAt..], (long)number);
        Checked(Control(_descriptor, Add, (int)descriptor, ref one[0]));
    }

    /// <summary>Waits, and answers how many sockets have input; their numbers by <see cref="NumberAt"/>.</summary>
    public int Wait(int milliseconds)
    {
        var count = WaitFor(_descriptor, ref _events[0], Batch, milliseconds);
        const int Interrupted = 4;
        return count < 0 && Marshal.GetLastPInvokeError() == Interrupted ? 0 : Checked(count);
    }

    public int NumberAt(int index) => (int)MemoryMarshal.Read<long>(_events.AsSpan(index * Size + DataAt));

    public void Dispose() => _ = Close(_descriptor);

    private static int Checked(int result) => result >= 0 ? result : throw new Win32Exception(Marshal.GetLastPInvokeError());

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    private static partial int Create(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    private static partial int Control(int descriptor, int operation, int socket, ref byte item);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    private static partial int WaitFor(int descriptor, ref byte items, int most, int milliseconds);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
