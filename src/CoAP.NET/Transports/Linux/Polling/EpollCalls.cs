using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>The calls and constants of <c>epoll(7)</c>.</summary>
internal static unsafe partial class EpollCalls
{
    public const uint Readable = 1, Urgent = 2, Writable = 4, Failed = 8, HungUp = 0x10, PeerEnded = 0x2000, OnChange = 1U << 31;
    public const int Add = 1, CloseOnExec = 0x80000;

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int Create(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int Control(SafeHandle set, int operation, SafeHandle file, byte* entry);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int Wait(SafeHandle set, byte* entries, int count, int milliseconds);
}

/// <summary><c>struct epoll_event</c>, which is packed on x64 only.</summary>
internal static unsafe class EpollEntry
{
    private static int DataOffset { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;

    /// <summary>The length of the structure, in bytes.</summary>
    public static int Size { get; } = DataOffset + sizeof(ulong);

    public static void Write(byte* entry, uint events, ulong data)
    {
        *(uint*)entry = events;
        Marshal.WriteInt64((nint)(entry + DataOffset), (long)data);
    }

    public static uint EventsOf(byte* entry) => *(uint*)entry;

    public static ulong DataOf(byte* entry) => (ulong)Marshal.ReadInt64((nint)(entry + DataOffset));
}
