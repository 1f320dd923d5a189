using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;
using Perfolizer.Metrology;

namespace CoAP.Benchmarks;

/// <summary>The commands that run BenchmarkDotNet, and their tables and charts.</summary>
internal static class Suite
{
    private static readonly Type[] Grid = [typeof(SerializeToArray), typeof(SerializeToStream), typeof(DeserializeFromArray), typeof(DeserializeFromStream)];

    public static IReadOnlyList<string> Names { get; } = ["grid", "series", "small", "text", "writers", "hop"];

    public static int Run(string name, Arguments arguments)
    {
        var settings = RunSettings.Read(name, arguments);
        arguments.End();
        GridPlan.Seed = settings.Seed;
        GridPlan.Current = name == "series" ? GridPlan.Series(settings.Form) : GridPlan.Grid(settings.Form);
        var report = new Report(settings, name);
        report.Say($"Seed {settings.Seed}. \"Min\" is the fastest run, and \"Min ratio\" compares it with that of the baseline.");
        Summary[] summaries = [.. TypesOf(name).Select(type => BenchmarkRunner.Run(type, ConfigOf(settings)))];
        foreach (var summary in summaries) { report.Add(ToTable(summary)); }
        if (name == "writers") { report.Add(BufferGrowth.Count()); }
        if (name == "grid") { GridCharts.Of(summaries).ForEach(report.Add); }
        report.Fail(summaries.Sum(static summary => FailuresOf(summary)));
        return report.ExitCode;
    }

    private static Type[] TypesOf(string name) => name switch
    {
        "small" => [typeof(SmallMessages)],
        "text" => [typeof(TextWriting)],
        "writers" => [typeof(BufferWriters)],
        "hop" => [typeof(Hops)],
        _ => Grid,
    };

    private static ManualConfig ConfigOf(RunSettings settings) => ManualConfig.CreateEmpty()
        .AddJob(JobOf(settings.Form).WithToolchain(new InProcessEmitToolchain(TimeSpan.FromHours(1), logOutput: false)))
        .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Params, DefaultColumnProviders.Statistics, DefaultColumnProviders.Metrics)
        .AddColumn(StatisticColumn.Min)
        .AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: true)))
        .AddExporter(JsonExporter.Full)
        .AddFilter(new SimpleFilter(GridPlan.Current.Accepts))
        .AddLogger(new StreamLogger(Path.Combine(settings.Output, $"{settings.Command}.log")))
        .WithSummaryStyle(new SummaryStyle(CultureInfo.InvariantCulture, printUnitsInHeader: true, SizeUnit.B, TimeUnit.Nanosecond, printUnitsInContent: false))
        .WithArtifactsPath(settings.Output)
        .WithOptions(ConfigOptions.DisableLogFile);

    private static Job JobOf(RunForm form) => form.Choose(
        dry: Job.Dry, quick: Brief(warmups: 1, iterations: 5, milliseconds: 20), usual: Brief(warmups: 2, iterations: 8, milliseconds: 50), full: Job.Default);

    // The runner's own overhead is that of one call and is not evaluated.
    private static Job Brief(int warmups, int iterations, int milliseconds) => Job.Default
        .WithStrategy(RunStrategy.Throughput)
        .WithWarmupCount(warmups)
        .WithIterationCount(iterations)
        .WithIterationTime(TimeInterval.FromMilliseconds(milliseconds))
        .WithMinIterationTime(TimeInterval.FromMilliseconds(milliseconds / 4))
        .WithEvaluateOverhead(false);

    // The runner's table with two more columns.
    private static Table ToTable(Summary summary)
    {
        var columns = summary.Table.Columns.Where(static column => column.NeedToShow).ToArray();
        var table = new Table(summary.BenchmarksCases[0].Descriptor.Type.Name, [.. columns.Select(static column => column.Header), "Min ratio", "Document [ns]"]);
        for (var row = 0; row < summary.Reports.Length; row++)
        {
            var benchmark = summary.BenchmarksCases[row];
            var baseline = summary.GetBaseline(summary.GetLogicalGroupKey(benchmark));
            var ratio = baseline is null ? null : Least(summary[benchmark]) / Least(summary[baseline]);
            table.Add([.. columns.Select(column => column.Content[row]), Runs.Format(ratio ?? double.NaN), Runs.Format(GridPlan.DocumentMean(benchmark) ?? double.NaN)]);
        }
        return table;
    }

    private static double? Least(BenchmarkReport? report) => report?.ResultStatistics?.Min;

    private static int FailuresOf(Summary summary)
    {
        var errors = summary.ValidationErrors.Where(static error => error.IsCritical).Select(static error => error.Message).ToList();
        errors.ForEach(Console.WriteLine);
        var failed = summary.Reports.Count(static report => !report.Success);
        if (failed > 0) { Console.WriteLine($"{failed} benchmarks failed; see the log in {summary.ResultsDirectoryPath}/.."); }
        return failed + errors.Count + (summary.Reports.Length == 0 ? 1 : 0);
    }
}
