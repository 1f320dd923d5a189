using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Reporting;

/// <summary>What the figures were measured on.</summary>
internal static class Machine
{
    public static string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Processor()}, {Environment.ProcessorCount} cores, {MemoryInGiB():0} GiB; {RuntimeInformation.OSDescription}; {RuntimeInformation.FrameworkDescription}, "
        + $"{(GCSettings.IsServerGC ? "server" : "workstation")} GC, {GCSettings.LatencyMode}; load average at the start {Load()}");

    private static string Processor()
    {
        const string Info = "/proc/cpuinfo";
        var line = File.Exists(Info) ? File.ReadLines(Info).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }

    private static double MemoryInGiB() => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1 << 30);

    private static string Load()
    {
        const string Average = "/proc/loadavg";
        return File.Exists(Average) ? string.Join(' ', File.ReadAllText(Average).Split(' ').Take(3)) : "unknown";
    }
}
