namespace CoAP.Load;

/// <summary>What a run has shown.</summary>
/// <param name="Settings">What load was made.</param>
/// <param name="Time">The time measured.</param>
/// <param name="Tally">What became of the requests.</param>
/// <param name="Generator">The generator's own processor time within it.</param>
/// <param name="GeneratorAllocated">The bytes that the generator allocated within it.</param>
/// <param name="PerSecond">The good answers within each second.</param>
internal sealed record LoadResult(
    LoadSettings Settings, TimeSpan Time, Tally Tally, TimeSpan Generator, long GeneratorAllocated, IReadOnlyList<long> PerSecond)
{
    /// <summary>The server's process before the measured time and after it; nothing where its ID was not given.</summary>
    public (ProcessProbe Before, ProcessProbe After)? Server { get; init; }

    /// <summary>Good answers a second.</summary>
    public double Rate => Tally.Good / Time.TotalSeconds;

    /// <summary>The share of one processor that the generator used.</summary>
    public double GeneratorShare => Generator / Time;

    public TimeSpan? ServerCpu => Server is { } server ? server.After.Cpu - server.Before.Cpu : null;

    /// <summary>Seconds of the server's processor time for a million good answers.</summary>
    public double? ServerCpuPerMillion => Tally.Good > 0 ? ServerCpu?.TotalSeconds * 1e6 / Tally.Good : null;

    /// <summary>A percentile of the latency in microseconds.</summary>
    public double Microseconds(double share) => Tally.Latencies.Percentile(share) / 1000.0;
}
