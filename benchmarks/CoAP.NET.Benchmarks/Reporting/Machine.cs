using System.Runtime;
using System.Runtime.InteropServices;

namespace CoAP.Benchmarks.Reporting;

/// <summary>Describes the machine that produced the figures.</summary>
internal static class Machine
{
    public static string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Processor()}, {Environment.ProcessorCount} cores, {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1 << 30):0} GiB; "
        + $"{RuntimeInformation.OSDescription}; {RuntimeInformation.FrameworkDescription}, {(GCSettings.IsServerGC ? "server" : "workstation")} GC; "
        + $"load average at the start {LoadAverage()}");

    private static string Processor()
    {
        const string Info = "/proc/cpuinfo";
        var line = File.Exists(Info) ? File.ReadLines(Info).FirstOrDefault(static line => line.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }

    private static string LoadAverage()
    {
        const string Average = "/proc/loadavg";
        return File.Exists(Average) ? string.Join(' ', File.ReadAllText(Average).Split(' ').Take(3)) : "unknown";
    }
}
