using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The result of a load.</summary>
/// <param name="Settings">The load.</param>
/// <param name="Time">The measured time.</param>
/// <param name="Tally">The outcome of the requests.</param>
/// <param name="Generator">The processor time of this process, all threads included.</param>
/// <param name="GeneratorAllocated">The bytes that the generator's thread allocated.</param>
/// <param name="Server">The usage of the server's process before and after the load, if its ID was given.</param>
internal sealed record LoadResult(
    LoadSettings Settings, TimeSpan Time, Tally Tally, TimeSpan Generator, long GeneratorAllocated, (ProcessUsage Before, ProcessUsage After)? Server)
{
    /// <summary>Good answers a second.</summary>
    public double Rate => Tally.Good / Time.TotalSeconds;

    /// <summary>The share of one processor that the generator used.</summary>
    public double GeneratorShare => Generator / Time;

    /// <summary>The share of one processor that the server used; NaN if unknown.</summary>
    public double ServerShare => ServerCpu / Time.TotalSeconds;

    /// <summary>Microseconds of the server's processor time for each good answer; NaN if unknown.</summary>
    public double CpuPerAnswer => ServerCpu * 1e6 / Tally.Good;

    /// <summary>The server's context switches for each good answer; NaN if unknown.</summary>
    public double SwitchesPerAnswer => Server is { } server ? (double)server.After.SwitchesSince(server.Before) / Tally.Good : double.NaN;

    /// <summary>The server's resident memory after the measured time, in MiB; NaN if unknown.</summary>
    public double ResidentMebibytes => Server is { } server ? server.After.Resident / (double)(1 << 20) : double.NaN;

    /// <summary>The number of requests without a good answer.</summary>
    public long Failed => Tally.Lost + Tally.Errors;

    private double ServerCpu => Server is { } server ? (server.After.Cpu - server.Before.Cpu).TotalSeconds : double.NaN;

    /// <summary>Returns a percentile of the latency in microseconds.</summary>
    public double Microseconds(double share) => Tally.Latencies.Percentile(share) / 1000.0;
}
