namespace CoAP.Benchmarks.Reporting;

/// <summary>The output of a command: tables on the console and as CSV, and charts as SVG. The files are named <c>COMMAND-NAME</c>.</summary>
internal sealed class Report
{
    private readonly RunSettings _settings;
    private long _failures;

    /// <summary>Prints the heading and creates the output folder.</summary>
    /// <param name="settings">The settings of the run.</param>
    /// <param name="title">The heading.</param>
    /// <param name="document">The source document that the command repeats, if any.</param>
    public Report(RunSettings settings, string title, string? document = null)
    {
        _settings = settings;
        Directory.CreateDirectory(settings.Output);
        Say($"# {title} ({settings.Description})");
        Say("");
        if (document is not null) { Say($"Repeats: {document}."); }
        Say($"Machine: {Machine.Describe()}.");
    }

    /// <summary>0 if everything was measured and answered as expected, otherwise 1.</summary>
    public int ExitCode => _failures == 0 ? 0 : 1;

    /// <summary>Counts failures. The remaining measurements still run.</summary>
    public void Fail(long count) => _failures += count;

    public void Say(FormattableString line) => Say(line.ToString(CultureInfo.InvariantCulture));

    public void Say(string line) => Console.WriteLine(line);

    /// <summary>Prints and saves a table.</summary>
    public void Add(Table table)
    {
        Save(table);
        if (table.Rows.Count == 0) { return; }
        Say("");
        Say($"## {table.Name}");
        Say("");
        table.Print(Console.Out);
    }

    public void Add(Chart chart) => File.WriteAllText(PathOf(chart.Name, "svg"), chart.ToSvg());

    /// <summary>Saves a table that is too long for the console.</summary>
    public void Save(Table table) => table.Save(PathOf(table.Name, "csv"));

    private string PathOf(string name, string extension) => Path.Combine(_settings.Output, $"{_settings.Command}-{name}.{extension}");
}
