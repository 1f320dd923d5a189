using System.Globalization;
using BenchmarkDotNet.Reports;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Suite;

/// <summary>One measured method beside the baseline of its category.</summary>
internal sealed record MethodResult(string Category, string Method, string Parameters, double Least, double Mean, double Deviation, double Bytes, bool IsBaseline)
{
    public static Table ToTable(string name, IEnumerable<Summary> summaries)
    {
        var table = new Table(name, "what", "method", "parameters", "least (ns)", "mean (ns)", "deviation", "bytes", "ratio of least", "ratio of bytes");
        var all = summaries.SelectMany(summary => summary.Reports).Where(report => report.ResultStatistics is not null).Select(Of).ToList();
        foreach (var group in all.GroupBy(one => (one.Category, one.Parameters)))
        {
            var baseline = group.FirstOrDefault(one => one.IsBaseline);
            foreach (var one in group)
            {
                table.Add(
                    one.Category, one.Method, one.Parameters, Text(one.Least, "0.0"), Text(one.Mean, "0.0"), Text(one.Deviation, "0.0"), Text(one.Bytes, "0"),
                    Text(one.Least / baseline?.Least, "0.00"), Text(one.Bytes / baseline?.Bytes, "0.00"));
            }
        }
        return table;
    }

    private static MethodResult Of(BenchmarkReport report)
    {
        var descriptor = report.BenchmarkCase.Descriptor;
        return new(
            string.Join(' ', descriptor.Categories),
            descriptor.WorkloadMethod.Name,
            report.BenchmarkCase.Parameters.DisplayInfo.Trim('[', ']'),
            report.ResultStatistics!.Min,
            report.ResultStatistics.Mean,
            report.ResultStatistics.StandardDeviation,
            report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0,
            descriptor.Baseline);
    }

    private static string Text(double? value, string format) => value is { } known && double.IsFinite(known) ? known.ToString(format, CultureInfo.InvariantCulture) : "";
}
