namespace CoAP.Benchmarks.Reporting;

/// <summary>Text in columns. Prints itself as Markdown and saves itself as comma-separated values (RFC 4180).</summary>
internal sealed class Table(string name, params string[] columns)
{
    private readonly List<string[]> _rows = [];

    /// <summary>The heading of the table, and part of the name of its file.</summary>
    public string Name => name;

    public IReadOnlyList<string[]> Rows => _rows;

    public IReadOnlyList<string> Columns => columns;

    /// <summary>Creates a table of measurements that have several runs each.</summary>
    public static Table OfRuns(string name, string unit, params string[] labels) => new(name, [.. labels, $"median ({unit})", "least - most", "document", "every run"]);

    public void Add(params string[] cells)
    {
        if (cells.Length != columns.Length) { throw new ArgumentException($"{cells.Length} cells, {columns.Length} columns.", nameof(cells)); }
        _rows.Add(cells);
    }

    /// <summary>Adds the labels and runs of a measurement, and the figure of a source document, to a table from <see cref="OfRuns"/>.</summary>
    public void Add(string[] what, Runs runs, string document = "") => Add([.. what, Runs.Format(runs.Median), runs.Spread, document, runs.All]);

    /// <summary>Adds a row with a remark instead of figures.</summary>
    public void AddRemark(string[] what, string remark, string document) => Add([.. what, remark, "", document, ""]);

    public void Print(TextWriter output)
    {
        var widths = columns.Select((column, at) => _rows.Select(row => row[at].Length).Append(column.Length).Max()).ToArray();
        PrintRow(output, columns, widths);
        output.WriteLine("| " + string.Join(" | ", widths.Select(static width => new string('-', width))) + " |");
        foreach (var row in _rows) { PrintRow(output, row, widths); }
    }

    public void Save(string path)
    {
        using var file = new StreamWriter(path);
        foreach (var row in _rows.Prepend(columns)) { file.WriteLine(string.Join(',', row.Select(Quote))); }
    }

    private static void PrintRow(TextWriter output, string[] cells, int[] widths) =>
        output.WriteLine("| " + string.Join(" | ", cells.Select((cell, at) => cell.PadRight(widths[at]))) + " |");

    private static string Quote(string cell) => cell.AsSpan().IndexOfAny(",\"\n") < 0 ? cell : $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
