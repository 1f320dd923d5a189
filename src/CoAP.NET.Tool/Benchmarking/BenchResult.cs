using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Benchmarking;

/// <summary>The result of a load.</summary>
/// <param name="Tally">What became of the requests.</param>
/// <param name="Elapsed">The measured time.</param>
/// <param name="Processor">The processor time of this program during the measurement.</param>
internal sealed record BenchResult(Tally Tally, TimeSpan Elapsed, TimeSpan Processor)
{
    /// <summary>Good responses per second.</summary>
    public double Rate => Elapsed > TimeSpan.Zero ? Tally.Good / Elapsed.TotalSeconds : 0;

    /// <summary>The share of one processor that this program used.</summary>
    public double ShareOfCore => Elapsed > TimeSpan.Zero ? Processor / Elapsed : 0;
}
