namespace CoAP.Load;

/// <summary>When each request of an open loop is to be sent: evenly, whatever became of the ones before.</summary>
/// <remarks>
/// A request that could not be sent in time keeps the time it was meant for, and its latency counts from there. A generator that waits for
/// a server that stalls, and then counts from the sending, leaves out just the requests that would have waited.
/// </remarks>
/// <param name="start">The first request's time, in nanoseconds.</param>
/// <param name="rate">Requests a second.</param>
internal sealed class OpenLoopSchedule(long start, double rate)
{
    private readonly double _step = 1e9 / rate;

    /// <summary>How many requests were taken.</summary>
    public long Taken { get; private set; }

    /// <summary>The time that the next request is meant for. Counted from the start, so that no rounding adds up.</summary>
    public long Next => start + (long)(Taken * _step);

    /// <summary>Takes the next request if its time has come.</summary>
    public bool TryTake(long now, out long intended)
    {
        intended = Next;
        if (now < intended) { return false; }
        Taken++;
        return true;
    }

    /// <summary>How many requests were meant for a time up to now and were not taken.</summary>
    public long Behind(long now) => now < start ? 0 : Math.Max(0, (long)((now - start) / _step) + 1 - Taken);
}
