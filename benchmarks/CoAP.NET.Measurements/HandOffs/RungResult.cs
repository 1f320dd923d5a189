using CoAP.Measurements.HandOffs.Ends;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.HandOffs;

/// <summary>All runs of a rung in one placement.</summary>
/// <param name="Rung">What was measured.</param>
/// <param name="Placement">Where the ends ran.</param>
/// <param name="Turns">The turn-arounds of a run.</param>
/// <param name="Runs">In the order in which they were made.</param>
/// <param name="All">Every turn-around, there and back.</param>
/// <param name="Used">By both ends, over all runs.</param>
internal sealed record RungResult(Rung Rung, Placement Placement, int Turns, IReadOnlyList<HandOffRun> Runs, Latencies All, Usage Used)
{
    public double[] Minima => [.. Runs.Select(static run => run.Least)];

    /// <summary>There and back are two.</summary>
    public double HandOffs => 2.0 * Turns * Runs.Count;

    /// <summary>Both ends spin on one core: each turn takes what the system gives a thread at a time.</summary>
    public bool IsStarving => Rung is { Length: RungLength.Spinning, IsOneThread: false } && Placement == Placement.Together;

    public int Collections => Runs.Sum(static run => run.Collections);
}
