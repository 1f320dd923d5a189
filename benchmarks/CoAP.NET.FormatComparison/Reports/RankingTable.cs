using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;

namespace CoAP.FormatComparison.Reports;

/// <summary>The order of the formats beside that of the source document, as far as its text gives one.</summary>
internal static class RankingTable
{
    private static readonly Orders List = new(
        "MessagePack, JSON and Protobuf alike; XML last", "MessagePack and JSON; Protobuf; XML last",
        "MessagePack and JSON; Protobuf; XML fails from 4 MB on", "MessagePack; Protobuf; JSON; XML");

    private static readonly Orders Large = new("as for 8 MB", "as for 8 MB", "as for 8 MB", "");

    private static readonly Orders Tree = new(
        "as for lists", "MessagePack and JSON; XML; Protobuf last", "MessagePack and JSON; Protobuf last", "Protobuf first (K = 61.74); XML last");

    private static readonly Orders Mixed = new("", "", "", "XML last");

    public static Table Of(IReadOnlyList<Result> results, IReadOnlyList<LargeResult> large)
    {
        var table = new Table("ranking", "data", "measure", "ours, best first (multiple of the best)", "document, Python", "document, Rust");
        var list = results.Where(static one => one.Data.Group == "lists")
            .GroupBy(static one => one.Data.Values).MaxBy(static group => group.Key);
        AddAll(table, list, List);
        AddLarge(table, large);
        AddAll(table, Of(results, "tree"), Tree);
        AddAll(table, Of(results, "mixed"), Mixed);
        AddSizes(table, results.Where(static one => one.Data.Name == "float32"), "Protobuf before MessagePack for floats");
        return table;
    }

    /// <summary>Orders formats by a figure, the smallest first.</summary>
    public static string Order(IEnumerable<(string Format, double Figure)> figures)
    {
        var known = figures.Where(static one => one.Figure > 0 && double.IsFinite(one.Figure)).OrderBy(static one => one.Figure).ToArray();
        return string.Join(
            "; ", known.Select(one => string.Create(CultureInfo.InvariantCulture, $"{one.Format} {one.Figure / known[0].Figure:0.0}")));
    }

    private static IEnumerable<Result> Of(IEnumerable<Result> results, string group) =>
        results.Where(one => one.Data.Group == group).GroupBy(static one => one.Data.Values).FirstOrDefault() ?? Enumerable.Empty<Result>();

    private static void AddAll(Table table, IEnumerable<Result>? results, Orders document)
    {
        var own = (results ?? []).Where(static one => one.Failure.Length == 0 && one.Format != FormatNames.Bytes).ToArray();
        if (own.Length == 0) { return; }
        AddTimes(
            table, own[0].Data.Name, Order(own.Select(static one => (one.Format, one.Serialize!.Milliseconds.Median))),
            Order(own.Select(static one => (one.Format, one.Deserialize!.Milliseconds.Median))), document);
        AddSizes(table, own, document.Size);
    }

    private static void AddSizes(Table table, IEnumerable<Result> results, string document)
    {
        var own = results.Where(static one => one.Failure.Length == 0 && one.Format != FormatNames.Bytes).ToArray();
        if (own.Length > 0) { table.Add(own[0].Data.Name, "size", Order(own.Select(static one => (one.Format, (double)one.Bytes))), document, ""); }
    }

    private static void AddLarge(Table table, IReadOnlyList<LargeResult> large)
    {
        var own = large.Where(static one => one.Form == LargeRun.Whole && one.Format != FormatNames.Bytes).ToArray();
        if (own.Length == 0) { return; }
        var name = $"list of {own[0].Values / (double)(1 << 20):0.##} MiB";
        AddTimes(
            table, name, Order(own.Select(static one => (one.Format, one.Serialize.Median))),
            Order(own.Select(static one => (one.Format, one.Deserialize.Median))), Large);
    }

    private static void AddTimes(Table table, string data, string serialize, string deserialize, Orders document)
    {
        table.Add(data, "serialize", serialize, document.Python, document.RustSerialize);
        table.Add(data, "deserialize", deserialize, document.Python, document.RustDeserialize);
    }

    /// <summary>The orders of the source document for one data set (sections 6.1 and 6.2). Its sizes are from Python.</summary>
    private sealed record Orders(string Python, string RustSerialize, string RustDeserialize, string Size);
}
