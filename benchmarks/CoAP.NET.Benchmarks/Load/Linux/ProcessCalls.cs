using System.Runtime.InteropServices;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The system calls of 64-bit Linux that place processes and threads, and tell what they used. The same on x64 and arm64.</summary>
internal static unsafe partial class ProcessCalls
{
    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    public static partial int SetAffinity(int thread, nuint length, byte* mask);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    public static partial int SetPriority(int which, int who, int value);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    public static partial int GetTime(int clock, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "getrusage")]
    public static partial int GetUsage(int who, RawUsage* usage);
}

/// <summary><c>struct rusage</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct RawUsage
{
    public long UserSeconds, UserMicroseconds, SystemSeconds, SystemMicroseconds;
    public long MostResident, SharedText, Data, Stack, MinorFaults, MajorFaults, Swaps, BlocksIn, BlocksOut, Sent, Received, Signals;
    public long Voluntary, Involuntary;
}
