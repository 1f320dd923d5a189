namespace CoAP.Reporting;

/// <summary>Measured rows of one unit: every run with median and spread, and the figure of a source document beside them.</summary>
/// <param name="name">The heading, and part of the name of the file.</param>
/// <param name="unit">For example "ms".</param>
/// <param name="labels">The columns that say what was measured.</param>
internal sealed class Results(string name, string unit, params string[] labels)
{
    private readonly List<(string[] What, Runs? Runs, string Document, string Remark)> _rows = [];

    public string Name => name;

    /// <summary>The number of rows whose measurement failed.</summary>
    public long Failures { get; private set; }

    public void Add(string[] what, Runs runs, string document = "") => _rows.Add((what, runs, document, ""));

    /// <summary>Adds a row whose measurement failed.</summary>
    public void AddFailure(string[] what, string error, string document = "")
    {
        Failures++;
        AddRemark(what, error, document);
    }

    /// <summary>Adds a row without figures.</summary>
    public void AddRemark(string[] what, string remark, string document = "") => _rows.Add((what, null, document, remark));

    /// <summary>Returns one row for each measurement.</summary>
    public Table ToTable()
    {
        var table = new Table(name, [.. labels, $"median ({unit})", "least - most", "document", "every run"]);
        foreach (var (what, runs, document, remark) in _rows)
        {
            table.Add([.. what, runs is null ? remark : Runs.Format(runs.Median), runs?.Spread ?? "", document, runs?.All ?? ""]);
        }
        return table;
    }

    /// <summary>Returns one row for each run.</summary>
    public Table ToLines()
    {
        var table = new Table(name, [.. labels, "run", unit, "document", "remark"]);
        foreach (var (what, runs, document, remark) in _rows)
        {
            if (runs is null) { table.Add([.. what, "", "", document, remark]); }
            for (var run = 0; run < runs?.Count; run++)
            {
                table.Add([.. what, (run + 1).ToString(CultureInfo.InvariantCulture), runs.Values[run].ToString("R", CultureInfo.InvariantCulture), document, remark]);
            }
        }
        return table;
    }
}
