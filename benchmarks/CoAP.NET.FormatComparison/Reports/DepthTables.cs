using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;

namespace CoAP.FormatComparison.Reports;

/// <summary>How deep values may be nested.</summary>
internal static class DepthTables
{
    private static readonly IReadOnlyList<string> Formats = [.. FormatNames.Compared, FormatNames.ProtobufGeneric];

    /// <summary>Whether the depths of the source document work, and the deepest one that works.</summary>
    public static Table Limits(DepthProbe usual, DepthProbe raised)
    {
        var depths = DepthProbe.Depths.Select(static depth => $"{depth:N0} levels: default / raised");
        var table = new Table("depth", ["format", .. depths, "deepest: default / raised", "document"]);
        foreach (var format in Formats)
        {
            table.Add(
            [
                format, .. DepthProbe.Depths.Select(depth => $"{Works(usual, format, depth)} / {Works(raised, format, depth)}"),
                $"{Text(usual.Deepest(format))} / {Text(raised.Deepest(format))}", Document(format),
            ]);
        }
        return table;
    }

    /// <summary>The errors.</summary>
    public static Table Errors(DepthProbe usual, DepthProbe raised)
    {
        var table = new Table("depth-errors", "format", "limits", "levels", "error");
        foreach (var (format, (limits, probe), depth) in
            from format in Formats
            from limits in new[] { ("default", usual), ("raised", raised) }
            from depth in DepthProbe.Depths
            select (format, limits, depth))
        {
            if (probe.Fails(format, depth) is { } error) { table.Add(format, limits, Text(depth), error); }
        }
        return table;
    }

    private static string Works(DepthProbe probe, string format, int depth) => probe.Fails(format, depth) is null ? "yes" : "fails";

    private static string Text(int depth) => depth == DepthProbe.Most ? $"{depth:N0} or more" : $"{depth:N0}";

    private static string Document(string format) => format switch
    {
        FormatNames.MessagePack => "no limit met",
        FormatNames.Json => "fails over 100 (Python)",
        FormatNames.Protobuf => "fails over 50 (Python)",
        _ => "",
    };
}
