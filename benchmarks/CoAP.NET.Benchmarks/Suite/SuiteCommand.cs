using System.Globalization;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using CoAP.Benchmarks.Serialization;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Benchmarks.Serialization.Writing;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Suite;

/// <summary>Runs the benchmarks of one command, and makes tables and pictures of what came out.</summary>
internal static class SuiteCommand
{
    private static readonly Type[] Grid = [typeof(SerializeToArray), typeof(SerializeToStream), typeof(DeserializeFromArray), typeof(DeserializeFromStream)];

    public static int Run(SuiteSettings settings)
    {
        Directory.CreateDirectory(settings.Output);
        GridPlan.Seed = settings.Seed;
        Console.WriteLine($"# {settings.Command} ({settings.Form}), seed {settings.Seed}");
        Console.WriteLine($"Machine: {Machine.Describe()}");
        switch (settings.Command)
        {
            case "grid":
                GridPlan.Current = GridPlan.Grid(settings.Form);
                return Report(settings, Run(settings, Grid), drawsPictures: true);
            case "series":
                GridPlan.Current = GridPlan.Series(settings.Form);
                return Report(settings, Run(settings, Grid), drawsPictures: false);
            default:
                if (settings.Command == "writers") { Add(settings, Pieces.Growth()); }
                return Report(settings, Run(settings, TypesOf(settings.Command)));
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

    private static int Report(SuiteSettings settings, Summary[] summaries, bool drawsPictures)
    {
        var rows = GridResult.Of(summaries).ToList();
        Add(settings, GridResult.ToTable(settings.Command, rows));
        if (drawsPictures)
        {
            foreach (var plot in GridPictures.Of(rows)) { File.WriteAllText(Path.Combine(settings.Output, $"{settings.Command}-{plot.Name}.svg"), plot.ToSvg()); }
        }
        return Failures(summaries);
    }

    private static int Report(SuiteSettings settings, Summary[] summaries)
    {
        Add(settings, MethodResult.ToTable(settings.Command, summaries));
        return Failures(summaries);
    }

    private static void Add(SuiteSettings settings, Table table)
    {
        Console.WriteLine();
        table.Print(Console.Out);
        CsvFile.Write(Path.Combine(settings.Output, $"{table.Name}.csv"), table);
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
