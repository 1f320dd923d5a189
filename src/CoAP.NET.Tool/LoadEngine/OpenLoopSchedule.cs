using System.Diagnostics;

namespace CoAP.Tool.LoadEngine;

/// <summary>The due times of the requests of an open loop: at even intervals, independent of earlier requests. Safe for concurrent use.</summary>
/// <remarks>
/// A request that is sent late keeps its due time, and its latency counts from there. If it counted from the sending, the figures would leave out the
/// requests that a stalled server delays.
/// </remarks>
/// <param name="start">The time stamp at which the first request is due.</param>
/// <param name="rate">Requests per second.</param>
internal sealed class OpenLoopSchedule(long start, double rate)
{
    private readonly double _step = Stopwatch.Frequency / rate;
    private long _taken;

    /// <summary>The time stamp at which the next request is due.</summary>
    public long Next => DueAt(Volatile.Read(ref _taken));

    /// <summary>Takes the next request and returns the time stamp at which it is due.</summary>
    public long Take() => DueAt(Interlocked.Increment(ref _taken) - 1);

    /// <summary>Takes the next request if it is due. Only for a schedule with a single user.</summary>
    public bool TryTake(long now, out long due)
    {
        due = Next;
        if (now < due) { return false; }
        Take();
        return true;
    }

    /// <summary>Returns the number of requests that are due by now and were not taken.</summary>
    public long Behind(long now) => now < start ? 0 : Math.Max(0, (long)((now - start) / _step) + 1 - Volatile.Read(ref _taken));

    // Counted from the start, so that rounding does not add up.
    private long DueAt(long number) => start + (long)(number * _step);
}
