using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace CoAP.Benchmarks;

/// <summary>A column of figures that BenchmarkDotNet does not have.</summary>
internal sealed class FigureColumn(string name, Func<Summary, BenchmarkCase, double?> figure) : IColumn
{
    public string Id => name;

    public string ColumnName => name;

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => name;

    /// <summary>Returns the fastest run divided by that of the baseline. Other work on the machine slows single runs; it makes none faster.</summary>
    public static double? RatioOfLeast(Summary summary, BenchmarkCase benchmark)
    {
        var baseline = summary.GetBaseline(summary.GetLogicalGroupKey(benchmark));
        return baseline is null ? null : Least(summary, benchmark) / Least(summary, baseline);
    }

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => figure(summary, benchmarkCase) is { } value ? Runs.Format(value) : "";

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    private static double? Least(Summary summary, BenchmarkCase benchmark) => summary[benchmark]?.ResultStatistics?.Min;
}
