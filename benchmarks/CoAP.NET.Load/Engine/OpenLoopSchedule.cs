namespace CoAP.Load;

/// <summary>The due times of the requests of an open loop: at even intervals, independent of earlier requests.</summary>
/// <remarks>
/// A request that is sent late keeps its due time, and its latency counts from there. If it counted from the sending, the figures would leave out the
/// requests that a stalled server delays.
/// </remarks>
/// <param name="start">The due time of the first request in nanoseconds.</param>
/// <param name="rate">Requests a second.</param>
internal sealed class OpenLoopSchedule(long start, double rate)
{
    private readonly double _step = 1e9 / rate;

    /// <summary>The number of requests that were taken.</summary>
    public long Taken { get; private set; }

    /// <summary>The due time of the next request. Counted from the start, so that rounding does not add up.</summary>
    public long Next => start + (long)(Taken * _step);

    /// <summary>Takes the next request if it is due.</summary>
    public bool TryTake(long now, out long due)
    {
        due = Next;
        if (now < due) { return false; }
        Taken++;
        return true;
    }

    /// <summary>Returns the number of requests that are due by now and were not taken.</summary>
    public long Behind(long now) => now < start ? 0 : Math.Max(0, (long)((now - start) / _step) + 1 - Taken);
}
