using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The tables and charts of all rungs.</summary>
internal sealed class LadderReport(Report report)
{
    private const int MostPoints = 300;
    private const double BinsOfADecade = 40;

    private readonly Table _summary = new(
        "summary", "hand-off by", "ends", "runs x turn-arounds", "mean of minima (ns)", "95 % confidence", "document (ns)",
        "median of all (ns)", "p99 of all (ns)", "mean (ns)", "CPU ns/hand-off", "switches/hand-off", "collections");

    private readonly Table _drift = new(
        "drift", "hand-off by", "ends", "least", "5 %", "median", "95 %", "most", "median of 1st half", "of 2nd half", "lost cores per run, best half", "worst half");

    private readonly Table _runs = new("runs", "hand-off by", "ends", "run", "least (ns)", "mean (ns)", "waits", "lost cores", "collections");
    private readonly Chart _minima = new("minima", "The shortest hand-off of each run", "ns, one way", "share of the runs, %") { Mark = Mark.Outline, IsLogUp = false };
    private readonly Chart _all = new("all", "Every hand-off", "ns, one way", "share of the hand-offs, %") { Mark = Mark.Outline, IsLogUp = false };
    private readonly Chart _scatter = new("scatter", "The shortest hand-off of each run, one after the other", "run", "ns, one way") { Mark = Mark.Dots, IsLogAcross = false };

    public void Add(RungResult result)
    {
        var (rung, ends, minima) = (result.Rung.Name, result.Placement.Name, new Runs(result.Minima));
        var (mean, half) = (minima.Mean, minima.Confidence);
        _summary.Add(
            rung, ends, $"{result.Runs.Count:N0} x {result.Turns:N0}", Runs.Format(mean), $"{Runs.Format(mean - half)} - {Runs.Format(mean + half)}",
            result.Rung.Document, Runs.Format(result.All.Percentile(0.5) / 2.0), Runs.Format(result.All.Percentile(0.99) / 2.0),
            Runs.Format(result.Runs.Average(static run => run.Mean)), Runs.Format(result.Used.Cpu.TotalNanoseconds / result.HandOffs),
            Runs.Format((result.Used.Waits + result.Used.Losses) / result.HandOffs), $"{result.Runs.Sum(static run => run.Collections)}");
        AddDrift(result, rung, ends, minima);
        for (var at = 0; at < result.Runs.Count; at++)
        {
            var run = result.Runs[at];
            _runs.Add(rung, ends, $"{at + 1}", $"{run.Least:0.#}", $"{run.Mean:0.#}", $"{run.Waits}", $"{run.Losses}", $"{run.Collections}");
        }
        // A few runs of some milliseconds each would leave no room for the others.
        if (!result.IsStarving) { Draw(result, rung, ends); }
    }

    public void Finish()
    {
        report.Add(_summary);
        report.Add(_drift);
        report.Save(_runs);
        report.Add(_minima);
        report.Add(_all);
        report.Add(_scatter);
    }

    /// <summary>Describes how fine the clock is, and how long it takes to read it.</summary>
    public static string DescribeTimer()
    {
        var batches = Enumerable.Range(0, 100).Select(static _ => ReadTimer()).ToArray();
        const string Source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"Timer: the smallest step seen is {batches.Min(static batch => batch.Finest)} ns; a reading takes {batches.Min(static batch => batch.Each):0.0} ns "
            + $"(clock source {(File.Exists(Source) ? File.ReadAllText(Source).Trim() : "unknown")}). Each turn-around contains one reading.");
    }

    private static (long Finest, double Each) ReadTimer()
    {
        const int Reads = 2_000;
        var (finest, started) = (long.MaxValue, Clock.Now);
        var last = started;
        for (var i = 0; i < Reads; i++)
        {
            var now = Clock.Now;
            if (now > last) { finest = Math.Min(finest, now - last); }
            last = now;
        }
        return (finest, (double)(last - started) / Reads);
    }

    private void AddDrift(RungResult result, string rung, string ends, Runs minima)
    {
        var half = Math.Max(1, result.Runs.Count / 2);
        var byLeast = result.Runs.OrderBy(static run => run.Least).ToArray();
        _drift.Add(
            rung, ends, Runs.Format(minima.Least), Runs.Format(minima.Quantile(0.05)), Runs.Format(minima.Median), Runs.Format(minima.Quantile(0.95)), Runs.Format(minima.Most),
            Runs.Format(new Runs(result.Minima.Take(half)).Median), Runs.Format(new Runs(result.Minima.Skip(result.Minima.Length - half)).Median),
            Runs.Format(byLeast.Take(half).Average(static run => run.Losses)), Runs.Format(byLeast.TakeLast(half).Average(static run => run.Losses)));
    }

    private void Draw(RungResult result, string rung, string ends)
    {
        var every = Math.Max(1, (result.Runs.Count + MostPoints - 1) / MostPoints);
        var scattered = result.Minima.Select(static (least, at) => (at + 1.0, Math.Max(0.5, least))).Where((_, at) => at % every == 0);
        _scatter.Add(ends, scattered, panel: rung);
        _minima.Add(ends, Histogram(result.Minima.Select(static least => (least, 1L))), panel: rung);
        _all.Add(ends, Histogram(result.All.Steps.Select(static step => (step.Nanoseconds / 2, step.Count))), panel: rung);
    }

    private static List<(double X, double Y)> Histogram(IEnumerable<(double Value, long Count)> values)
    {
        var bins = new SortedDictionary<int, long>();
        foreach (var (value, count) in values)
        {
            var bin = (int)Math.Floor(Math.Log10(Math.Max(0.5, value)) * BinsOfADecade);
            bins[bin] = bins.GetValueOrDefault(bin) + count;
        }
        var total = (double)bins.Values.Sum();
        var points = new List<(double X, double Y)>();
        // Rare outliers would leave no room for the others.
        foreach (var (bin, count) in bins.Where(bin => bin.Value / total >= 0.0005))
        {
            var (from, to) = (Math.Pow(10, bin / BinsOfADecade), Math.Pow(10, (bin + 1) / BinsOfADecade));
            points.AddRange([(from, 0), (from, count * 100 / total), (to, count * 100 / total), (to, 0)]);
        }
        return points;
    }
}
