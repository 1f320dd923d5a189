using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>The calls and constants of 64-bit Linux that move datagrams in batches. They are the same on x64 and arm64, with glibc and musl.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int DontWait = 0x40, ErrorQueue = 0x2000, NoSignal = 0x4000, Truncated = 0x20;
    public const short PollIn = 1, PollOut = 4, PollError = 8;
    public const ushort FamilyIPv4 = 2, FamilyIPv6 = 10;
    public const int EventNonBlocking = 0x800, EventCloseOnExec = 0x80000;

    private const int Interrupted = 4, Again = 11, NoBuffers = 105;

    /// <summary>Whether this process has the calls, with the structures that are declared here.</summary>
    [SupportedOSPlatformGuard("linux")]
    public static bool IsSupported => OperatingSystem.IsLinux() && sizeof(nint) == 8 && BitConverter.IsLittleEndian;

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    public static partial int ReceiveMessages(int socket, MessageHeader* messages, uint count, int flags, TimeSpec* timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    public static partial int SendMessages(int socket, MessageHeader* messages, uint count, int flags);

    [LibraryImport("libc", EntryPoint = "recvmsg", SetLastError = true)]
    public static partial nint ReceiveMessage(int socket, MessageHeader* message, int flags);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Poll(PollEntry* entries, nuint count, TimeSpec* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    public static partial int CreateEvent(uint value, int flags);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(SafeHandle file, ulong* value, nuint length);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(SafeHandle file, ulong* value, nuint length);

    /// <summary>Reads the address that an IP socket is bound to.</summary>
    public static bool TryGetLocal(Socket socket, out PeerIdentity local)
    {
        local = default;
        if (socket.AddressFamily is not (AddressFamily.InterNetwork or AddressFamily.InterNetworkV6)) { return false; }
        Span<byte> address = stackalloc byte[AddressBytes.LengthIPv6];
        var length = address.Length;
        fixed (byte* start = address)
        {
            if (GetSocketName(socket.SafeHandle, start, &length) != 0) { return false; }
        }
        local = AddressBytes.Read(address, socket.AddressFamily);
        return true;
    }

    [LibraryImport("libc", EntryPoint = "getsockname", SetLastError = true)]
    private static partial int GetSocketName(SafeHandle socket, byte* address, int* length);

    /// <summary>The error of the last call.</summary>
    public static SocketError LastError => ToSocketError(Marshal.GetLastPInvokeError());

    public static SocketError ToSocketError(int number) => number switch
    {
        1 or 13 => SocketError.AccessDenied,
        Interrupted => SocketError.Interrupted,
        Again => SocketError.WouldBlock,
        22 => SocketError.InvalidArgument,
        23 or 24 => SocketError.TooManyOpenSockets,
        90 => SocketError.MessageSize,
        71 or 92 => SocketError.ProtocolNotSupported,
        97 => SocketError.AddressFamilyNotSupported,
        99 => SocketError.AddressNotAvailable,
        100 => SocketError.NetworkDown,
        101 => SocketError.NetworkUnreachable,
        NoBuffers => SocketError.NoBufferSpaceAvailable,
        111 => SocketError.ConnectionRefused,
        112 => SocketError.HostDown,
        113 => SocketError.HostUnreachable,
        _ => SocketError.SocketError,
    };

    public static TimeSpec ToTimeSpec(TimeSpan time) => new()
    {
        Seconds = time.Ticks / TimeSpan.TicksPerSecond,
        Nanoseconds = time.Ticks % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick,
    };
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

    /// <summary>The number of received or sent bytes. Only the batch calls set it.</summary>
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
internal struct PollEntry
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
