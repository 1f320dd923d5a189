using System.Runtime.InteropServices;

namespace CoAP.Load;

/// <summary>The system calls and structures of 64-bit Linux that the measurements need. They are the same on x64 and arm64 except for epoll's event.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int DontWait = 0x40, WaitForOne = 0x10000, NoSignal = 0x4000;
    private const int Again = 11, Interrupted = 4;

    /// <summary>Whether the last call failed, and would fail again.</summary>
    public static bool HasFailed => Marshal.GetLastPInvokeError() is not (Again or Interrupted);

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    public static partial int ReceiveMessages(int socket, MessageHeader* messages, uint count, int flags, void* timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    public static partial int SendMessages(int socket, MessageHeader* messages, uint count, int flags);

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int CreatePoll(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int ControlPoll(int poll, int operation, int socket, byte* pollEvent);

    [LibraryImport("libc", EntryPoint = "epoll_pwait2", SetLastError = true)]
    public static partial int WaitForPoll(int poll, byte* events, int count, TimeSpec* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int file);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    public static partial int SetAffinity(int thread, nuint length, byte* mask);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    public static partial int SetPriority(int which, int who, int value);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    public static partial int GetTime(int clock, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "clock_nanosleep")]
    public static partial int Sleep(int clock, int flags, TimeSpec* time, void* remaining);

    [LibraryImport("libc", EntryPoint = "getrusage")]
    public static partial int GetUsage(int who, RawUsage* usage);

    public static T* Allocate<T>(int count) where T : unmanaged => (T*)NativeMemory.AllocZeroed((nuint)count, (nuint)sizeof(T));
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

/// <summary><c>struct timespec</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct TimeSpec
{
    public long Seconds;
    public long Nanoseconds;
}

/// <summary><c>struct rusage</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RawUsage
{
    public long UserSeconds, UserMicroseconds, SystemSeconds, SystemMicroseconds;
    public long MostResident, SharedText, Data, Stack, MinorFaults, MajorFaults, Swaps, BlocksIn, BlocksOut, Sent, Received, Signals;
    public long Voluntary, Involuntary;
}
