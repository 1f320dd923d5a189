using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Suite;

/// <summary>What a command says: tables to the console, the same as CSV, and pictures.</summary>
internal sealed class SuiteReport
{
    private readonly string _folder;

    public SuiteReport(SuiteSettings settings)
    {
        _folder = Directory.CreateDirectory(settings.Output).FullName;
        Console.WriteLine($"# {settings.Command} ({settings.Form}), seed {settings.Seed}");
        Console.WriteLine($"Machine: {Machine.Describe()}");
    }

    public void Add(Table table)
    {
        Console.WriteLine();
        table.Print(Console.Out);
        CsvFile.Write(Path.Combine(_folder, $"{table.Name}.csv"), table);
    }

    /// <summary>A picture; its file is called as the command and the plot are.</summary>
    public void Add(string command, Plot plot) => File.WriteAllText(Path.Combine(_folder, $"{command}-{plot.Name}.svg"), plot.ToSvg());
}
