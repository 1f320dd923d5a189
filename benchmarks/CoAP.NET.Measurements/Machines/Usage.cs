using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Machines;

/// <summary>Processor time and context switches of a process, or of two. Linux only.</summary>
/// <param name="Cpu">User and system time, in microseconds.</param>
/// <param name="Waits">The times that a thread gave up its core because it had to wait.</param>
/// <param name="Losses">The times that a thread lost its core to another one.</param>
internal readonly partial record struct Usage(double Cpu, long Waits, long Losses)
{
    private const int Self = 0;

    /// <summary>Of this process so far.</summary>
    public static Usage Now()
    {
        if (GetUsage(Self, out var raw) < 0) { throw new Win32Exception(Marshal.GetLastPInvokeError()); }
        var microseconds = ((raw.UserSeconds + raw.SystemSeconds) * 1e6) + raw.UserMicroseconds + raw.SystemMicroseconds;
        return new Usage(microseconds, raw.Voluntary, raw.Involuntary);
    }

    /// <summary>Of this process, and of another one where there is one.</summary>
    public static Usage Of(int? other)
    {
        var own = Now();
        if (other is not { } process) { return own; }
        var theirs = ProcessUsage.Of(process);
        var nothing = new ProcessUsage();
        return new Usage(own.Cpu + (theirs.CpuSince(nothing, static _ => true) * 1e6), own.Waits + theirs.SwitchesSince(nothing), own.Losses);
    }

    public Usage Since(Usage earlier) => new(Cpu - earlier.Cpu, Waits - earlier.Waits, Losses - earlier.Losses);

    [LibraryImport("libc", EntryPoint = "getrusage", SetLastError = true)]
    private static partial int GetUsage(int who, out RawUsage usage);

    [StructLayout(LayoutKind.Sequential)]
    private struct RawUsage
    {
        public long UserSeconds, UserMicroseconds, SystemSeconds, SystemMicroseconds;
        public long MostResident, SharedText, Data, Stack, MinorFaults, MajorFaults, Swaps, BlocksIn, BlocksOut, Sent, Received, Signals;
        public long Voluntary, Involuntary;
    }
}
