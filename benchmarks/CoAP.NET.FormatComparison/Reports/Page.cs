using System.Text;

namespace CoAP.FormatComparison.Reports;

/// <summary>Copies tables from CSV files into a Markdown page.</summary>
/// <remarks>
/// The place of a table is between <c>&lt;!-- table NAME --&gt;</c> and <c>&lt;!-- end --&gt;</c>; its file is <c>formats-NAME.csv</c>.
/// </remarks>
internal static class Page
{
    private const string Begin = "<!-- table ", BeginEnd = " -->", End = "<!-- end -->";

    /// <summary>Fills a page and reports what it filled.</summary>
    /// <returns>0 if each table has a file.</returns>
    public static int Fill(string page, string folder)
    {
        var missing = new List<string>();
        var text = Fill(File.ReadAllLines(page), name =>
        {
            var path = Path.Combine(folder, $"formats-{name}.csv");
            if (File.Exists(path)) { return ToMarkdown(File.ReadAllText(path)); }
            missing.Add(path);
            return null;
        });
        File.WriteAllText(page, text);
        foreach (var path in missing) { Console.Error.WriteLine($"{path} does not exist; its table stays as it is."); }
        return missing.Count == 0 ? 0 : 1;
    }

    /// <summary>Replaces the tables of a page.</summary>
    /// <param name="lines">The lines of the page.</param>
    /// <param name="tableOf">Returns the lines of a table, or <see langword="null"/> to leave the old one in place.</param>
    public static string Fill(IEnumerable<string> lines, Func<string, string?> tableOf)
    {
        var text = new StringBuilder();
        var isReplaced = false;
        foreach (var line in lines)
        {
            if (line == End) { isReplaced = false; }
            if (!isReplaced) { text.Append(line).Append('\n'); }
            if (NameIn(line) is { } name && tableOf(name) is { } table)
            {
                text.Append(table);
                isReplaced = true;
            }
        }
        return isReplaced ? throw new InvalidDataException($"A table of the page has no {End}.") : text.ToString();
    }

    /// <summary>Converts comma-separated values (RFC 4180) to a table in Markdown.</summary>
    public static string ToMarkdown(string csv)
    {
        var rows = Rows(csv);
        var text = new StringBuilder();
        for (var at = 0; at < rows.Count; at++)
        {
            text.Append("| ").AppendJoin(" | ", rows[at].Select(static cell => cell.Replace("|", "\\|", StringComparison.Ordinal))).Append(" |\n");
            if (at == 0) { text.Append("| ").AppendJoin(" | ", rows[0].Select(static _ => "---")).Append(" |\n"); }
        }
        return text.ToString();
    }

    private static string? NameIn(string line) =>
        line.StartsWith(Begin, StringComparison.Ordinal) && line.EndsWith(BeginEnd, StringComparison.Ordinal)
            ? line[Begin.Length..^BeginEnd.Length]
            : null;

    private static List<List<string>> Rows(string csv)
    {
        var (rows, row, cell, isQuoted) = (new List<List<string>>(), new List<string>(), new StringBuilder(), false);
        for (var at = 0; at < csv.Length; at++)
        {
            switch (csv[at])
            {
                case '"' when isQuoted && at + 1 < csv.Length && csv[at + 1] == '"': cell.Append(csv[at++]); break;
                case '"': isQuoted = !isQuoted; break;
                case ',' when !isQuoted: Take(); break;
                case '\r' when !isQuoted: break;
                case '\n' when !isQuoted:
                    Take();
                    rows.Add(row);
                    row = [];
                    break;
                default: cell.Append(csv[at]); break;
            }
        }
        return rows;

        void Take()
        {
            row.Add(cell.ToString());
            cell.Clear();
        }
    }
}
