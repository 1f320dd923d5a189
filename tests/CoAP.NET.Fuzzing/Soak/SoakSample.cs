using System.Diagnostics;
using CoAP.Benchmarks.Reporting;

namespace CoAP.Fuzzing.Soak;

/// <summary>What the process holds at a moment, and how fast it answers.</summary>
internal sealed record SoakSample(double Seconds, double HeapMiB, double ResidentMiB, int Handles, int Threads, double P99Milliseconds, long Answered)
{
    public const string Head = "seconds,heap in MiB,resident in MiB,descriptors,threads,p99 in ms,answered,fault";

    private const double MiB = 1 << 20;

    public static SoakSample Take(double seconds, SoakLoad? load)
    {
        using var process = Process.GetCurrentProcess();
        return new(seconds, GC.GetTotalMemory(forceFullCollection: false) / MiB, ProcessMemory.Resident() / MiB,
            Directory.GetFileSystemEntries("/proc/self/fd").Length, process.Threads.Count, load?.TakePercentile().TotalMilliseconds ?? 0, load?.Answered ?? 0);
    }

    public string ToRow(string fault) => string.Create(CultureInfo.InvariantCulture, $"{Seconds:0},{HeapMiB:0.0},{ResidentMiB:0.0},{Handles},{Threads},{P99Milliseconds:0.00},{Answered},{fault}");
}
