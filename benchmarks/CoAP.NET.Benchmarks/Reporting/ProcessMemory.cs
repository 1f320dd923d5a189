namespace CoAP.Benchmarks.Reporting;

/// <summary>The resident memory of a process in bytes, as Linux counts it.</summary>
internal static class ProcessMemory
{
    private const int Kibi = 1024;

    public static long Resident(string process = "self") => Read(process, "VmRSS:");

    /// <summary>Returns the highest resident memory since the process began or <see cref="ResetPeak"/> was called in it.</summary>
    public static long Peak(string process = "self") => Read(process, "VmHWM:");

    /// <summary>Collects all garbage of this process, starts the peak anew, and returns the memory that is resident now.</summary>
    public static long ResetPeak()
    {
        if (!OperatingSystem.IsLinux()) { throw new PlatformNotSupportedException("The peak of resident memory is read from /proc."); }
        System.Runtime.GCSettings.LargeObjectHeapCompactionMode = System.Runtime.GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        File.WriteAllText("/proc/self/clear_refs", "5");
        return Peak();
    }

    private static long Read(string process, string name)
    {
        var line = File.ReadLines($"/proc/{process}/status").First(line => line.StartsWith(name, StringComparison.Ordinal));
        return Kibi * long.Parse(string.Concat(line.Where(char.IsAsciiDigit)), CultureInfo.InvariantCulture);
    }
}
