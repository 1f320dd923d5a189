using System.Globalization;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using CoAP.Benchmarks.Serialization;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Benchmarks.Serialization.Writing;

namespace CoAP.Benchmarks.Suite;

/// <summary>Runs the benchmarks of one command, and makes tables and pictures of what came out.</summary>
internal static class SuiteCommand
{
    private static readonly Type[] Grid = [typeof(SerializeToArray), typeof(SerializeToStream), typeof(DeserializeFromArray), typeof(DeserializeFromStream)];

    public static int Run(SuiteSettings settings)
    {
        GridPlan.Seed = settings.Seed;
        var report = new SuiteReport(settings);
        switch (settings.Command)
        {
            case "grid":
                GridPlan.Current = GridPlan.Grid(settings.Form);
                return Report(settings, report, Run(settings, Grid), drawsPictures: true);
            case "series":
                GridPlan.Current = GridPlan.Series(settings.Form);
                return Report(settings, report, Run(settings, Grid), drawsPictures: false);
            default:
                if (settings.Command == "writers") { report.Add(Pieces.Growth()); }
                return Report(settings, report, Run(settings, TypesOf(settings.Command)));
        }
    }

    private static Type[] TypesOf(string command) => command switch
    {
        "small" => [typeof(SmallMessageBenchmarks)],
        "text" => [typeof(TextWritingBenchmarks)],
        "writers" => [typeof(BufferWriterBenchmarks)],
        _ => throw new ArgumentOutOfRangeException(nameof(command), command, "There is no such command."),
    };

    private static Summary[] Run(SuiteSettings settings, Type[] types) => [.. types.Select(type => BenchmarkRunner.Run(type, SuiteConfig.Create(settings)))];

    private static int Report(SuiteSettings settings, SuiteReport report, Summary[] summaries, bool drawsPictures)
    {
        var rows = GridResult.Of(summaries).ToList();
        report.Add(GridResult.ToTable(settings.Command, rows));
        if (drawsPictures)
        {
            foreach (var plot in GridPictures.Of(rows)) { report.Add(settings.Command, plot); }
        }
        return Failures(summaries);
    }

    private static int Report(SuiteSettings settings, SuiteReport report, Summary[] summaries)
    {
        report.Add(MethodResult.ToTable(settings.Command, summaries));
        return Failures(summaries);
    }

    private static int Failures(Summary[] summaries)
    {
        var failed = summaries.Sum(summary => summary.Reports.Count(report => !report.Success));
        var errors = summaries.SelectMany(summary => summary.ValidationErrors).Where(error => error.IsCritical).Select(error => error.Message).ToList();
        foreach (var error in errors) { Console.WriteLine(error); }
        if (failed > 0) { Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{failed} benchmarks failed; see {summaries[0].ResultsDirectoryPath}")); }
        return failed + errors.Count == 0 && summaries.All(summary => summary.Reports.Length > 0) ? 0 : 1;
    }
}
