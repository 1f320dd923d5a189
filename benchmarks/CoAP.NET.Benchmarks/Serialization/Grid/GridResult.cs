using System.Globalization;
using BenchmarkDotNet.Reports;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>One measured method on one cell.</summary>
internal sealed record GridResult(string Class, string Method, GridCell Cell, Summary Summary, BenchmarkReport Report)
{
    /// <summary>The document's name of the method.</summary>
    public string Document => Method is "BuildAndSerialize" ? "Serialize" : Method is "DeserializeAndReadTyped" ? "Deserialize" : Method;

    /// <summary>The fastest run, in nanoseconds.</summary>
    public double Least => Report.ResultStatistics!.Min;

    public static IEnumerable<GridResult> Of(IEnumerable<Summary> summaries)
    {
        foreach (var summary in summaries)
        {
            foreach (var report in summary.Reports.Where(report => report.ResultStatistics is not null))
            {
                var benchmark = report.BenchmarkCase;
                yield return new(benchmark.Descriptor.Type.Name, benchmark.Descriptor.WorkloadMethod.Name, GridPlan.CellOf(benchmark)!.Value, summary, report);
            }
        }
    }

    /// <summary>All rows, with the ratio to the baseline of the same cell (of the fastest runs: what else a machine does slows single ones) and the document's mean.</summary>
    public static Table ToTable(string name, IReadOnlyCollection<GridResult> rows)
    {
        var table = new Table(
            name, "class", "method", "form", "end", "options", "payload", "value bytes", "least (us)", "mean (us)", "error", "deviation", "gen 0", "gen 1", "gen 2", "allocated",
            "contended locks", "least to baseline's least", "document (us)");
        var baselines = rows.Where(row => row.Report.BenchmarkCase.Descriptor.Baseline).ToDictionary(row => (row.Class, row.Cell), row => row.Least);
        foreach (var row in rows.OrderBy(row => row.Class).ThenBy(row => row.Method).ThenBy(row => row.Cell.ValueLength).ThenBy(row => row.Cell.Form).ThenBy(row => row.Cell.End))
        {
            var (cell, report, statistics) = (row.Cell, row.Report, row.Report.ResultStatistics!);
            var document = name == "grid" ? CaseStudyGrid.Mean(row.Document, cell.Options, cell.Payload) : CaseStudySeries.Mean(row.Document, cell.Options, cell.Payload);
            table.Add(
                row.Class, row.Method, cell.Form.ToString(), row.Class.EndsWith("Array", StringComparison.Ordinal) ? "array" : cell.End.ToString(),
                Text(cell.Options), Text(cell.Payload), Text(cell.ValueLength),
                Text(statistics.Min / 1e3), Text(statistics.Mean / 1e3), Text(statistics.ConfidenceInterval.Margin / 1e3), Text(statistics.StandardDeviation / 1e3),
                Text(Collections(report, 0)), Text(Collections(report, 1)), Text(Collections(report, 2)),
                Text(report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0),
                Text(report.Metrics.TryGetValue("LockContentionCount", out var metric) ? metric.Value : 0),
                baselines.TryGetValue((row.Class, cell), out var baseline) ? Text(statistics.Min / baseline) : "",
                row.Method == "HandWritten" || document is null ? "" : Text(document.Value));
        }
        return table;
    }

    // For a thousand operations.
    private static double Collections(BenchmarkReport report, int generation)
    {
        var (stats, operations) = (report.GcStats, report.GcStats.TotalOperations);
        var count = generation switch { 0 => stats.Gen0Collections, 1 => stats.Gen1Collections, _ => stats.Gen2Collections };
        return operations == 0 ? 0 : count * 1000.0 / operations;
    }

    private static string Text(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);
}
