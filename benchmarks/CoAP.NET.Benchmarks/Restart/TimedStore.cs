namespace CoAP.Benchmarks;

/// <summary>Measures how long a store takes over its sessions.</summary>
internal sealed class TimedStore(FileDtlsSessionStore store) : IDtlsSessionStore, IDisposable
{
    /// <summary>The time of the take-over.</summary>
    public Cost TakeOverTime { get; private set; }

    /// <summary>The end of the take-over.</summary>
    public Moment End { get; private set; }

    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        var start = Moment.Now;
        var sessions = store.TakeOver();
        End = Moment.Now;
        TakeOverTime = End.Since(start);
        return sessions;
    }

    public void Save(DtlsSessionState session) => store.Save(session);

    public void Remove(string id) => store.Remove(id);

    public void Flush() => store.Flush();

    public void Dispose() => store.Dispose();
}

/// <summary>A moment, by the clock and by the processor time of the process.</summary>
internal readonly record struct Moment(long Clock, TimeSpan Processor)
{
    public static Moment Now => new(Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);

    public Cost Since(Moment start) => new(Stopwatch.GetElapsedTime(start.Clock, Clock).TotalMilliseconds, (Processor - start.Processor).TotalMilliseconds);
}

/// <summary>Milliseconds, by the clock and of processor time. On a machine that does other work too, only the latter says what the work costs.</summary>
internal readonly record struct Cost(double Clock, double Processor)
{
    public static Cost MedianOf(IEnumerable<Cost> costs)
    {
        Cost[] all = [.. costs];
        return new(all.Select(static cost => cost.Clock).Order().ElementAt(all.Length / 2), all.Select(static cost => cost.Processor).Order().ElementAt(all.Length / 2));
    }

    public override string ToString() => $"{Runs.Format(Clock)} ({Runs.Format(Processor)}) ms";
}
