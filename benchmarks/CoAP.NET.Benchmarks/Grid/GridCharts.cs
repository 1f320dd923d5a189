using BenchmarkDotNet.Reports;

namespace CoAP.Benchmarks;

/// <summary>One chart for each method, as in the case study (figures 13 to 16): time over the number of options, a line for each payload.</summary>
internal static class GridCharts
{
    private static readonly (string Class, string Method, string Title)[] All =
    [
        (nameof(SerializeToArray), "Serialize", "Serialize to an array"),
        (nameof(SerializeToStream), "Serialize", "Serialize to a MemoryStream"),
        (nameof(SerializeToStream), "SerializeAsync", "SerializeAsync to a MemoryStream"),
        (nameof(DeserializeFromArray), "Deserialize", "Deserialize from an array"),
        (nameof(DeserializeFromStream), "Deserialize", "Deserialize from a MemoryStream"),
        (nameof(DeserializeFromStream), "DeserializeAsync", "DeserializeAsync from a MemoryStream"),
    ];

    public static List<Chart> Of(IEnumerable<Summary> summaries)
    {
        var reports = summaries.SelectMany(static summary => summary.Reports).Where(static report => report.ResultStatistics is not null).ToArray();
        return [.. All.Select(one => Draw(one.Class, one.Method, one.Title, reports))];
    }

    private static Chart Draw(string type, string method, string title, BenchmarkReport[] reports)
    {
        var name = $"{method}{(type.EndsWith("Array", StringComparison.Ordinal) ? "-array" : "-stream")}".ToLowerInvariant();
        var chart = new Chart(name, title, "Uri-Path options (none is drawn at 1)", "microseconds, fastest run (case study: mean)");
        var rows =
            from report in reports
            let descriptor = report.BenchmarkCase.Descriptor
            where descriptor.Type.Name == type && descriptor.WorkloadMethod.Name == method
            let cell = GridPlan.CellOf(report.BenchmarkCase)!.Value
            orderby cell.Options
            group (X: Math.Max(1.0, cell.Options), Y: report.ResultStatistics!.Min / 1e3) by cell.Payload;
        foreach (var line in rows.OrderBy(static line => line.Key)) { chart.Add($"{line.Key} B", line); }
        foreach (var payload in (int[])[0, 131_072])
        {
            var points = GridBenchmarks.AllOptions.Select(options => (Math.Max(1.0, options), CaseStudy.Mean(method, options, payload) ?? double.NaN));
            chart.Add($"{payload} B, case study", points, isDocument: true);
        }
        return chart;
    }
}
