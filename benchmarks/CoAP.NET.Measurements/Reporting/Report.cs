namespace CoAP.Measurements.Reporting;

/// <summary>What a measurement says: tables to the console, the same as CSV, and pictures.</summary>
internal sealed class Report
{
    private readonly RunSettings _settings;
    private readonly TextWriter _output;
    private long _failures;

    public Report(RunSettings settings, string title, string document)
    {
        (_settings, _output) = (settings, Console.Out);
        Directory.CreateDirectory(settings.Output);
        _output.WriteLine($"# {title} ({settings.Description})");
        _output.WriteLine($"Repeats: {document}");
        _output.WriteLine($"Machine: {Machine.Describe()}");
    }

    /// <summary>0 where everything was measured and answered as it should be.</summary>
    public int ExitCode => _failures == 0 ? 0 : 1;

    /// <summary>Notes what failed. The rest is measured all the same.</summary>
    public void Fail(long count) => _failures += count;

    public void Say(string line) => _output.WriteLine(line);

    public void Add(Results results)
    {
        _output.WriteLine();
        _output.WriteLine($"## {results.Name}");
        results.ToTable().Print(_output);
        CsvFile.Write(PathOf(results.Name, "csv"), results.ToLines());
        Fail(results.Failures);
    }

    public void Add(Table table)
    {
        _output.WriteLine();
        _output.WriteLine($"## {table.Name}");
        table.Print(_output);
        CsvFile.Write(PathOf(table.Name, "csv"), table);
    }

    /// <summary>A table that is too long to be read: it goes to its file alone.</summary>
    public void AddFile(Table table) => CsvFile.Write(PathOf(table.Name, "csv"), table);

    public void AddPicture(string name, string svg) => File.WriteAllText(PathOf(name, "svg"), svg);

    public void Add(Plot plot) => File.WriteAllText(PathOf(plot.Name, "svg"), plot.ToSvg());

    private string PathOf(string name, string extension) => Path.Combine(_settings.Output, $"{_settings.Command}-{name}.{extension}");
}
