using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Peak;

/// <summary>The resident memory of this process, as Linux counts it.</summary>
internal static class ProcessMemory
{
    private const string ForgetPeak = "5";

    /// <summary>Has the peak begin anew, and answers what is resident now, in bytes.</summary>
    public static long ResetPeak()
    {
        if (!OperatingSystem.IsLinux()) { throw new PlatformNotSupportedException("The peak of resident memory is read from /proc."); }
        File.WriteAllText("/proc/self/clear_refs", ForgetPeak);
        return Peak();
    }

    /// <summary>The most that was resident, in bytes (VmHWM).</summary>
    public static long Peak() => ProcessStatus.Peak("/proc/self");
}
