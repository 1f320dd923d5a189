using System.Diagnostics;

namespace CoAP.Tool.Benchmarking;

/// <summary>The measured time, and the processor time that the program used in it.</summary>
internal sealed class MeasuredTime
{
    private readonly long _from = Stopwatch.GetTimestamp();
    private readonly TimeSpan _processor = Environment.CpuUsage.TotalTime;

    /// <summary>Sets the times of a tally.</summary>
    public void End(Tally tally)
    {
        tally.Elapsed = Stopwatch.GetElapsedTime(_from);
        tally.Processor = Environment.CpuUsage.TotalTime - _processor;
    }
}
