namespace CoAP.Benchmarks.Load;

/// <summary>Measures the sizes of one row after another, each several times, and leaves out what would take too long.</summary>
/// <remarks>No further run begins after the budget. A size that is expected to take longer than the longest is left out.</remarks>
internal sealed record Rows(Report Report, int Repeats, TimeSpan Budget, TimeSpan Longest)
{
    public static Rows Of(RunSettings settings, Report report, int full) => settings.Form switch
    {
        RunForm.Full => new(report, settings.Repeats ?? full, TimeSpan.MaxValue, TimeSpan.MaxValue),
        RunForm.Dry => new(report, 1, TimeSpan.Zero, TimeSpan.FromSeconds(0.1)),
        _ => new(report, settings.Repeats ?? 5, TimeSpan.FromSeconds(0.3), TimeSpan.FromSeconds(2)),
    };

    /// <summary>Measures each size, smallest first.</summary>
    /// <param name="results">Gets a row for each size.</param>
    /// <param name="labels">The labels of all rows; the size follows them.</param>
    /// <param name="sizes">The sizes, with the figure of a document.</param>
    /// <param name="run">The timed work. Its result is disposed of outside of the time.</param>
    /// <returns>The medians in milliseconds.</returns>
    public async Task<List<(double Size, double Median)>> MeasureAsync(
        Table results, string[] labels, IEnumerable<(long Size, string Document)> sizes, Func<long, Task<IReadOnlyList<IAsyncDisposable>>> run)
    {
        var medians = new List<(double Size, double Median)>();
        foreach (var (size, document) in sizes)
        {
            string[] what = [.. labels, size.ToString("N0", CultureInfo.InvariantCulture)];
            var expected = medians.Count == 0 ? 0 : medians[^1].Median * size / medians[^1].Size;
            if (expected > Longest.TotalMilliseconds)
            {
                results.AddRemark(what, $"left out, about {expected / 1000:0} s", document);
                continue;
            }
            try
            {
                var runs = await RepeatAsync(() => run(size));
                results.Add(what, runs, document);
                medians.Add((size, runs.Median));
            }
            catch (Exception failure) // The table shows it, and the other rows are still measured.
            {
                results.AddRemark(what, $"failed: {failure.GetType().Name}: {failure.Message}", document);
                Report.Fail(1);
                break;
            }
        }
        return medians;
    }

    private async Task<Runs> RepeatAsync(Func<Task<IReadOnlyList<IAsyncDisposable>>> run)
    {
        var times = new List<double>();
        var all = Stopwatch.StartNew();
        while (times.Count < Repeats && (times.Count == 0 || all.Elapsed < Budget))
        {
            var one = Stopwatch.StartNew();
            var left = await run();
            times.Add(one.Elapsed.TotalMilliseconds);
            await Task.WhenAll(left.Select(static one => one.DisposeAsync().AsTask()));
        }
        return new Runs(times);
    }
}
