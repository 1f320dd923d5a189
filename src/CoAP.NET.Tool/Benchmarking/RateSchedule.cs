using System.Diagnostics;

namespace CoAP.Tool.Benchmarking;

/// <summary>The times at which the requests of an open loop are due: at even intervals, however long the server takes. Safe for concurrent use.</summary>
/// <remarks>
/// The latency of a request that is sent late counts from the time at which it was due. Otherwise, the figures would leave out the requests that a stalled
/// server holds up.
/// </remarks>
/// <param name="rate">Requests per second.</param>
/// <param name="start">The time stamp of the first request.</param>
internal sealed class RateSchedule(double rate, long start)
{
    private readonly double _step = Stopwatch.Frequency / rate;
    private long _taken;

    /// <summary>The time stamp at which the next request is due.</summary>
    public long Next => DueAt(Volatile.Read(ref _taken));

    /// <summary>Takes the next request and returns the time stamp at which it is due.</summary>
    public long Take() => DueAt(Interlocked.Increment(ref _taken) - 1);

    // Counted from the start, so that rounding does not add up.
    private long DueAt(long number) => start + (long)(number * _step);
}
