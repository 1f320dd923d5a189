using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Load;

/// <summary>The calls and structures of 64-bit Linux that the generator needs; the same on x64 and arm64 but for epoll's event.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int DontWait = 0x40, NoSignal = 0x4000;
    public const uint Readable = 1, Writable = 4;
    public const int AddSocket = 1, RemoveSocket = 2, ChangeSocket = 3;

    private const int Again = 11, Interrupted = 4;

    [SupportedOSPlatformGuard("linux")]
    public static bool IsSupported => OperatingSystem.IsLinux() && sizeof(nint) == 8 && BitConverter.IsLittleEndian;

    /// <summary>Whether the last call failed for good, and not just for now.</summary>
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

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    public static partial int WaitForFiles(PollFile* files, nuint count, TimeSpec* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int file);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    public static partial int SetAffinity(int thread, nuint length, byte* mask);

    [LibraryImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    public static partial int GetTime(int clock, TimeSpec* time);
}

/// <summary><c>struct mmsghdr</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct MessageHeader
{
    public byte* Name;
    public uint NameLength;
    public DataVector* Vectors;
    public nuint VectorCount;
    public byte* Control;
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

/// <summary><c>struct pollfd</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct PollFile
{
    public int File;
    public short Wanted;
    public short Happened;
}

/// <summary><c>struct timespec</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct TimeSpec
{
    public long Seconds;
    public long Nanoseconds;
}
