using System.ComponentModel;
using System.Globalization;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.HandOffs;

/// <summary>What the system has to say and .NET does not: cores of a thread, what the process used, networks. Linux only.</summary>
internal static partial class Native
{
    private const int Self = 0;
    private const int NewNetwork = 0x40000000;

    /// <summary>Pins the calling thread to one core.</summary>
    public static void Pin(int core) => Pin(0, 1UL << core);

    /// <summary>Lets all threads of this process, and those that they start, run on these cores only; on all where there are none.</summary>
    public static void PinAll(int[] cores)
    {
        var mask = cores.Length == 0 ? ulong.MaxValue : cores.Aggregate(0UL, static (mask, core) => mask | (1UL << core));
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            // A thread may have ended since.
            _ = SetAffinity(int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture), sizeof(ulong), ref mask);
        }
    }

    /// <summary>What this process has used so far.</summary>
    public static Usage Now()
    {
        Check(GetUsage(Self, out var raw));
        var microseconds = ((raw.UserSeconds + raw.SystemSeconds) * 1e6) + raw.UserMicroseconds + raw.SystemMicroseconds;
        return new Usage(microseconds, raw.Voluntary, raw.Involuntary);
    }

    /// <summary>Moves the calling thread to another network: sockets that it makes from now on belong there.</summary>
    public static void EnterNetwork(string name)
    {
        using var file = File.OpenHandle($"/var/run/netns/{name}");
        Check(SetNamespace((int)file.DangerousGetHandle(), NewNetwork));
    }

    private static void Pin(int thread, ulong mask) => Check(SetAffinity(thread, sizeof(ulong), ref mask));

    private static void Check(int result)
    {
        if (result < 0) { throw new Win32Exception(Marshal.GetLastPInvokeError()); }
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint size, ref ulong mask);

    [LibraryImport("libc", EntryPoint = "getrusage", SetLastError = true)]
    private static partial int GetUsage(int who, out RawUsage usage);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int SetNamespace(int file, int kind);

    [StructLayout(LayoutKind.Sequential)]
    private struct RawUsage
    {
        public long UserSeconds, UserMicroseconds, SystemSeconds, SystemMicroseconds;
        public long MostResident, SharedText, Data, Stack, MinorFaults, MajorFaults, Swaps, BlocksIn, BlocksOut, Sent, Received, Signals;
        public long Voluntary, Involuntary;
    }
}
