using System.Globalization;

namespace CoAP.Measurements.Reporting;

/// <summary>Measured rows of one unit: every run, median and spread, and a document's figure beside them.</summary>
/// <param name="name">Also the name of the files.</param>
/// <param name="unit">Such as "ms".</param>
/// <param name="labels">The columns that say what was measured.</param>
internal sealed class Results(string name, string unit, params string[] labels)
{
    private readonly List<(string[] Labels, Runs? Runs, string Document, string Remark)> _rows = [];

    public string Name => name;

    public string Unit => unit;

    public void Add(string[] what, Runs runs, string document = "") => _rows.Add((what, runs, document, ""));

    /// <summary>The rows that were to have figures and have none.</summary>
    public long Failures { get; private set; }

    /// <summary>A row whose measurement failed.</summary>
    public void AddFailure(string[] what, string error, string document = "")
    {
        Failures++;
        AddRemark(what, error, document);
    }

    /// <summary>A row without figures: what is left out, or is to come.</summary>
    public void AddRemark(string[] what, string remark, string document = "") => _rows.Add((what, null, document, remark));

    public Table ToTable()
    {
        var table = new Table(name, [.. labels, $"median ({unit})", "least - most", "document", "every run"]);
        foreach (var (what, runs, document, remark) in _rows)
        {
            table.Add([.. what, runs is null ? remark : Runs.Format(runs.Median), runs?.Spread ?? "", document, runs?.All ?? ""]);
        }
        return table;
    }

    /// <summary>One line for each run.</summary>
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
