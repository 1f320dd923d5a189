using System.Runtime.InteropServices;

namespace CoAP.Tool.LoadEngine;

/// <summary>The system calls and structures of 64-bit Linux that load needs. They are the same on x64 and arm64 except for epoll's event.</summary>
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

    /// <summary>Waits as precisely as the clock is. Only Linux 5.11 with glibc 2.35 or musl 1.2.5 has this call.</summary>
    [LibraryImport("libc", EntryPoint = "epoll_pwait2", SetLastError = true)]
    public static partial int WaitForPoll(int poll, byte* events, int count, TimeSpec* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int file);

    [LibraryImport("libc", EntryPoint = "clock_nanosleep")]
    public static partial int Sleep(int clock, int flags, TimeSpec* time, void* remaining);

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
