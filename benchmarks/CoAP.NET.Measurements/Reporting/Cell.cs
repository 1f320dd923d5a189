using System.Diagnostics;

namespace CoAP.Measurements.Reporting;

/// <summary>How often something is measured, and when it is left out.</summary>
/// <param name="Repeats">The runs at most.</param>
/// <param name="Budget">No further run begins after this time.</param>
/// <param name="Longest">What is expected to take longer is not measured.</param>
internal sealed record Cell(int Repeats, TimeSpan Budget, TimeSpan Longest)
{
    public static Cell Of(RunSettings settings, int full) => settings.Form switch
    {
        RunForm.Full => new(settings.Repeats ?? full, TimeSpan.MaxValue, TimeSpan.MaxValue),
        RunForm.Dry => new(1, TimeSpan.Zero, TimeSpan.FromSeconds(0.1)),
        _ => new(settings.Repeats ?? 5, TimeSpan.FromSeconds(0.3), TimeSpan.FromSeconds(2)),
    };

    /// <summary>Measures each size of a row, smallest first.</summary>
    /// <param name="results">Gets a line for each size.</param>
    /// <param name="sizes">The sizes.</param>
    /// <param name="labels">The labels of the line for a size.</param>
    /// <param name="document">The document's figure for a size.</param>
    /// <param name="run">What is timed; what it leaves is disposed of outside of the time.</param>
    /// <returns>The medians in milliseconds.</returns>
    public async Task<List<(double Size, double Median)>> MeasureAsync(
        Results results, IEnumerable<long> sizes, Func<long, string[]> labels, Func<long, string> document, Func<long, Leftovers, Task> run)
    {
        var medians = new List<(double Size, double Median)>();
        string? failure = null;
        foreach (var size in sizes)
        {
            var expected = medians.Count == 0 ? 0 : medians[^1].Median * size / medians[^1].Size;
            if (failure is not null) { results.AddRemark(labels(size), failure, document(size)); }
            else if (expected > Longest.TotalMilliseconds) { results.AddRemark(labels(size), $"left out, about {expected / 1000:0} s", document(size)); }
            else
            {
                var (runs, error) = await RepeatAsync(leftovers => run(size, leftovers));
                if (runs is not null)
                {
                    results.Add(labels(size), runs, document(size));
                    medians.Add((size, runs.Median));
                }
                else { results.AddFailure(labels(size), failure = "failed: " + error, document(size)); }
            }
        }
        return medians;
    }

    private async Task<(Runs? Runs, string? Error)> RepeatAsync(Func<Leftovers, Task> run)
    {
        var times = new List<double>();
        var all = Stopwatch.StartNew();
        while (times.Count < Repeats && (times.Count == 0 || all.Elapsed < Budget))
        {
            await using var leftovers = new Leftovers();
            var one = Stopwatch.StartNew();
            try { await run(leftovers); }
            catch (Exception exception) // Whatever it is, the table says it and the other rows are measured.
            {
                return (null, $"{exception.GetType().Name}: {exception.Message}");
            }
            times.Add(one.Elapsed.TotalMilliseconds);
        }
        return (new Runs(times), null);
    }
}
