using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Measurements.Reporting;
using Perfolizer.Horology;
using Perfolizer.Metrology;

namespace CoAP.Benchmarks.Suite;

/// <summary>What the benchmark runner measures and writes: mean, error, deviation, collections, bytes, contended locks; CSV, HTML, Markdown, JSON.</summary>
internal static class SuiteConfig
{
    public static IConfig Create(SuiteSettings settings)
    {
        // In numbers without units, so that a program can read them.
        var plain = new SummaryStyle(CultureInfo.InvariantCulture, printUnitsInHeader: true, SizeUnit.B, TimeUnit.Nanosecond, printUnitsInContent: false);
        return ManualConfig.CreateEmpty()
            .AddJob(JobOf(settings.Form).WithToolchain(new InProcessEmitToolchain(TimeSpan.FromHours(1), logOutput: false)))
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: true)), new LockContention())
            .AddExporter(new CsvExporter(CsvSeparator.Comma, plain), HtmlExporter.Default, MarkdownExporter.GitHub, JsonExporter.Full)
            .AddFilter(new SimpleFilter(GridPlan.Current.Accepts))
            .AddLogger(new StreamLogger(Path.Combine(settings.Output, $"{settings.Command}.log")))
            .WithArtifactsPath(settings.Output)
            .WithOptions(ConfigOptions.DisableLogFile);
    }

    private static Job JobOf(RunForm form) => form switch
    {
        RunForm.Dry => Job.Dry,
        RunForm.Quick => Brief(warmups: 1, iterations: 5, milliseconds: 20),
        RunForm.Usual => Brief(warmups: 2, iterations: 8, milliseconds: 50),
        _ => Job.Default,
    };

    // The runner's own overhead, which these leave in, is that of one call.
    private static Job Brief(int warmups, int iterations, int milliseconds) => Job.Default
        .WithStrategy(RunStrategy.Throughput)
        .WithWarmupCount(warmups)
        .WithIterationCount(iterations)
        .WithIterationTime(TimeInterval.FromMilliseconds(milliseconds))
        .WithMinIterationTime(TimeInterval.FromMilliseconds(milliseconds / 4))
        .WithEvaluateOverhead(false);
}
