using CoAP.Measurements.Servers;

namespace CoAP.Measurements.HandOffs;

/// <summary>Processor time and context switches of a process, or of two.</summary>
/// <param name="Cpu">User and system time, in microseconds.</param>
/// <param name="Waits">The times that a thread gave up its core because it had to wait.</param>
/// <param name="Losses">The times that a thread lost its core to another one.</param>
internal readonly record struct Usage(double Cpu, long Waits, long Losses)
{
    /// <summary>Of this process, and of another one where there is one.</summary>
    public static Usage Of(int? other)
    {
        var own = Native.Now();
        if (other is not { } process) { return own; }
        var theirs = ProcessUsage.Of(process);
        var nothing = new ProcessUsage();
        return new Usage(own.Cpu + (theirs.CpuSince(nothing, static _ => true) * 1e6), own.Waits + theirs.SwitchesSince(nothing), own.Losses);
    }

    public Usage Since(Usage earlier) => new(Cpu - earlier.Cpu, Waits - earlier.Waits, Losses - earlier.Losses);
}
