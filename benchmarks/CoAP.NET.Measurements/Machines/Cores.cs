using System.ComponentModel;
using System.Globalization;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Machines;

/// <summary>Which cores threads of this process run on. Linux only; processes that are started are pinned by "taskset".</summary>
internal static partial class Cores
{
    /// <summary>Pins the calling thread to one core.</summary>
    public static void Pin(int core)
    {
        var mask = 1UL << core;
        if (SetAffinity(0, sizeof(ulong), ref mask) < 0) { throw new Win32Exception(Marshal.GetLastPInvokeError()); }
    }

    /// <summary>Lets all threads of this process, and those that they start, run on these cores only; on all where there are none.</summary>
    public static void PinAll(IReadOnlyCollection<int> cores)
    {
        var mask = cores.Count == 0 ? ulong.MaxValue : cores.Aggregate(0UL, static (mask, core) => mask | (1UL << core));
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            // A thread may have ended since.
            _ = SetAffinity(int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture), sizeof(ulong), ref mask);
        }
    }

    /// <summary>Leaves a core to the servers that were started on it, where there is another one. What is started later inherits it.</summary>
    public static void Leave(int core)
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2) { return; }
        PinAll([.. Enumerable.Range(0, Environment.ProcessorCount).Where(other => other != core)]);
    }

    /// <summary>Moves this process to the last core, and answers it and the one before, which is the server's; nothing where there are no two.</summary>
    public static (int Server, int Client)? Divide()
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2) { return null; }
        var last = Environment.ProcessorCount - 1;
        PinAll([last]);
        return (last - 1, last);
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint size, ref ulong mask);
}
