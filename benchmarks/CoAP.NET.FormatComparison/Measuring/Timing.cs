namespace CoAP.FormatComparison.Measuring;

/// <summary>The cost of one operation.</summary>
/// <param name="Milliseconds">The time of each run, in milliseconds per operation.</param>
/// <param name="Allocated">The bytes that one operation allocates on the heap.</param>
internal sealed record Cost(Runs Milliseconds, double Allocated)
{
    /// <summary>Returns how many million bytes of native data the operation converts per second, by the median of the runs.</summary>
    public double MegabytesPerSecond(long rawBytes) => rawBytes / 1e3 / Milliseconds.Median;
}

/// <summary>How often an operation is repeated.</summary>
/// <param name="Repeats">The number of runs.</param>
/// <param name="Run">The time of one run; short operations are repeated within it.</param>
/// <param name="WarmUp">The time before the first run.</param>
/// <param name="Budget">No further run begins after this time.</param>
internal sealed record Timing(int Repeats, TimeSpan Run, TimeSpan WarmUp, TimeSpan Budget)
{
    private const int MostOperations = 100_000;

    public static Timing Of(RunSettings settings)
    {
        var (run, warmUp, budget) = settings.Form.Choose((0, 0, 0), (5, 50, 200), (20, 300, 1_000), (50, 500, 10_000));
        return new(
            settings.Repeats ?? settings.Form.Choose(1, 3, 9, 21),
            TimeSpan.FromMilliseconds(run), TimeSpan.FromMilliseconds(warmUp), TimeSpan.FromMilliseconds(budget));
    }

    /// <summary>Measures an operation.</summary>
    /// <param name="work">The operation.</param>
    /// <param name="verify">Checks the result of the last operation. Called after each run, and not timed.</param>
    public Cost Measure(Action work, Action verify)
    {
        var operations = Warm(work, verify);
        var times = new List<double>();
        var allocated = double.MaxValue;
        var all = Stopwatch.StartNew();
        while (times.Count < Repeats && (times.Count == 0 || all.Elapsed < Budget))
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            var begin = Stopwatch.GetTimestamp();
            for (var left = operations; left > 0; left--) { work(); }
            times.Add(Stopwatch.GetElapsedTime(begin).TotalMilliseconds / operations);
            allocated = Math.Min(allocated, (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)operations);
            verify();
        }
        return new Cost(new Runs(times), allocated);
    }

    // The code gets optimized meanwhile. Returns the number of operations that fill a run.
    private int Warm(Action work, Action verify)
    {
        work();
        verify();
        var (count, all) = (0, Stopwatch.StartNew());
        while (all.Elapsed < WarmUp && count < MostOperations)
        {
            work();
            count++;
        }
        return count == 0 ? 1 : (int)Math.Clamp(Run / all.Elapsed * count, 1, MostOperations);
    }
}
