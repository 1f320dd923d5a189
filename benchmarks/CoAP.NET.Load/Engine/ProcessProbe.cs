using System.Diagnostics;
using CoAP.Measurements.Reporting;

namespace CoAP.Load;

/// <summary>What a process has used so far.</summary>
/// <param name="Cpu">Its processor time.</param>
/// <param name="ResidentBytes">Its resident set.</param>
/// <param name="Switches">The context switches of its threads, wanted or not; 0 where the system does not tell.</param>
internal readonly record struct ProcessProbe(TimeSpan Cpu, long ResidentBytes, long Switches)
{
    private const int CpuClockOfProcess = 2, CpuClockShift = 3;

    /// <exception cref="ArgumentException">There is no such process.</exception>
    public static ProcessProbe Of(int id)
    {
        using var process = Process.GetProcessById(id);
        return new(CpuOf(process), process.WorkingSet64, OperatingSystem.IsLinux() ? SwitchesOf(id) : 0);
    }

    // The system's tables count in hundredths of a second; the clock of a process counts in nanoseconds.
    private static unsafe TimeSpan CpuOf(Process process)
    {
        TimeSpec time;
        return LinuxCalls.IsSupported && LinuxCalls.GetTime((~process.Id << CpuClockShift) | CpuClockOfProcess, &time) == 0
            ? TimeSpan.FromTicks((time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / TimeSpan.NanosecondsPerTick))
            : process.TotalProcessorTime;
    }

    private static long SwitchesOf(int id)
    {
        long switches = 0;
        foreach (var thread in Directory.EnumerateDirectories($"/proc/{id}/task"))
        {
            try
            {
                switches += ProcessStatus.Switches(thread);
            }
            catch (IOException)
            {
                // The thread has ended meanwhile.
            }
        }

        return switches;
    }
}
