using System.Runtime.InteropServices;

namespace CoAP.Tool.Benchmarking;

/// <summary>The system calls of 64-bit Linux that move many datagrams at once, and wait for many sockets.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int DontWait = 0x40, NoSignal = 0x4000;
    private const int Interrupted = 4, Again = 11;

    /// <summary>Whether these calls exist.</summary>
    public static bool AreSupported => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>Whether the last call failed for another reason than that nothing was there, or no room.</summary>
    public static bool HasFailed => Marshal.GetLastPInvokeError() is not (Again or Interrupted);

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    public static partial int ReceiveMessages(int socket, MessageHeader* messages, uint count, int flags, void* timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    public static partial int SendMessages(int socket, MessageHeader* messages, uint count, int flags);

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int CreatePoll(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int ControlPoll(int poll, int operation, int socket, byte* pollEvent);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int WaitForPoll(int poll, byte* events, int count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int file);
}

/// <summary><c>struct mmsghdr</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct MessageHeader
{
    public void* Name;
    public uint NameLength;
    public DataVector* Vectors;
    public nuint VectorCount;
    public void* Control;
    public nuint ControlLength;
    public int Flags;
    private readonly int _padding;

    /// <summary>The bytes received or sent.</summary>
    public uint Length;
}

/// <summary><c>struct iovec</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct DataVector
{
    public byte* Start;
    public nuint Length;
}
