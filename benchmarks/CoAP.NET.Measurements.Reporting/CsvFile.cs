namespace CoAP.Measurements.Reporting;

/// <summary>Comma-separated values (RFC 4180).</summary>
internal static class CsvFile
{
    public static void Write(string path, Table table)
    {
        using var file = new StreamWriter(path);
        file.WriteLine(string.Join(',', table.Columns.Select(Quote)));
        foreach (var row in table.Rows) { file.WriteLine(string.Join(',', row.Select(Quote))); }
    }

    private static string Quote(string cell) => cell.AsSpan().IndexOfAny(",\"\n") < 0 ? cell : $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
