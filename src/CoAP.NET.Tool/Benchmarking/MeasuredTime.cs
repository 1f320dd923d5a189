using System.Diagnostics;

namespace CoAP.Tool.Benchmarking;

/// <summary>The measured time, and the processor time that the program used in it.</summary>
internal sealed class MeasuredTime
{
    private readonly long _from = Stopwatch.GetTimestamp();
    private readonly TimeSpan _processor = Environment.CpuUsage.TotalTime;

    /// <summary>Returns the times since the construction.</summary>
    public (TimeSpan Elapsed, TimeSpan Processor) End() => (Stopwatch.GetElapsedTime(_from), Environment.CpuUsage.TotalTime - _processor);
}
