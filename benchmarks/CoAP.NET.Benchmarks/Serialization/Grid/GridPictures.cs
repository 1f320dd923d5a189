using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>One diagram for each method, as the case study has them: time over the number of options, a line for each payload.</summary>
internal static class GridPictures
{
    private static readonly (string Class, string Method, string Title)[] Pictures =
    [
        (nameof(SerializeToArray), "Serialize", "Serialize to an array"),
        (nameof(SerializeToStream), "Serialize", "Serialize to a MemoryStream"),
        (nameof(SerializeToStream), "SerializeAsync", "SerializeAsync to a MemoryStream"),
        (nameof(DeserializeFromArray), "Deserialize", "Deserialize from an array"),
        (nameof(DeserializeFromStream), "Deserialize", "Deserialize from a MemoryStream"),
        (nameof(DeserializeFromStream), "DeserializeAsync", "DeserializeAsync from a MemoryStream"),
    ];

    public static IEnumerable<Plot> Of(IReadOnlyCollection<GridResult> rows)
    {
        foreach (var (type, method, title) in Pictures)
        {
            var name = $"{method}{(type.EndsWith("Array", StringComparison.Ordinal) ? "-array" : "-stream")}".ToLowerInvariant();
            var plot = new Plot(name, $"{title}, form of datagrams", "Uri-Path options (none is drawn at 1)", "microseconds, fastest run (case study: mean)");
            var lines = rows
                .Where(row => row.Class == type && row.Method == method && row.Cell is { Form: WireForm.Datagram, End: StreamEnd.Memory })
                .GroupBy(row => (row.Cell.ValueLength, row.Cell.Payload));
            foreach (var line in lines.OrderBy(line => line.Key))
            {
                var label = string.Create(CultureInfo.InvariantCulture, $"{line.Key.Payload} B, values {line.Key.ValueLength} B");
                plot.Line(label, line.OrderBy(row => row.Cell.Options).Select(row => (Math.Max(1.0, row.Cell.Options), row.Least / 1e3)));
            }
            foreach (var payload in (int[])[0, 131_072])
            {
                var points = rows.Select(row => row.Cell.Options).Distinct().Order()
                    .Select(options => (Math.Max(1.0, options), CaseStudyGrid.Mean(method, options, payload) ?? double.NaN));
                plot.Line($"{payload} B, case study", points, isDocument: true);
            }
            yield return plot;
        }
    }
}
