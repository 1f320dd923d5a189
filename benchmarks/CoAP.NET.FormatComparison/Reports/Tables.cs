using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Reports;

/// <summary>The tables and charts of the results.</summary>
internal static class Tables
{
    private const long MainList = 8 << 20;

    /// <summary>Everything that was measured, for other programs.</summary>
    public static Table Results(IEnumerable<Result> results)
    {
        var table = new Table(
            "results", "series", "data", "values", "native (bytes)", "objects (bytes)", "minimum (bytes)", "format", "serialized (bytes)",
            "K", "K of objects", "highest K", "serialize (ms)", "least - most", "deserialize (ms)", "least - most",
            "serialize (MB/s)", "deserialize (MB/s)", "serialize allocates (bytes)", "deserialize allocates (bytes)", "failure");
        foreach (var one in results)
        {
            var data = one.Data;
            table.Add(
                data.Group, data.Name, $"{data.Values}", $"{data.RawBytes}", $"{data.ObjectBytes}", Exact(data.MinimumBytes), one.Format,
                $"{one.Bytes}", Exact(one.Ratio), Exact(one.ObjectRatio), Exact(data.HighestRatio),
                Exact(one.Serialize?.Milliseconds.Median), one.Serialize?.Milliseconds.Spread ?? "",
                Exact(one.Deserialize?.Milliseconds.Median), one.Deserialize?.Milliseconds.Spread ?? "",
                Exact(one.Serialize?.MegabytesPerSecond(data.RawBytes)), Exact(one.Deserialize?.MegabytesPerSecond(data.RawBytes)),
                Exact(one.Serialize?.Allocated), Exact(one.Deserialize?.Allocated), one.Failure);
        }
        return table;
    }

    /// <summary>The times of one data set.</summary>
    /// <param name="name">The name of the table.</param>
    /// <param name="results">The results of one data set.</param>
    /// <param name="document">What the source document says about a format.</param>
    public static Table Times(string name, IEnumerable<Result> results, Func<string, string> document)
    {
        var table = new Table(
            name, "format", "serialize (ms)", "deserialize (ms)", "MB/s, both", "allocated (bytes per native byte), both", "document");
        foreach (var one in results.Where(static one => one.Failure.Length == 0))
        {
            table.Add(
                one.Format, Runs.Format(one.Serialize!.Milliseconds.Median), Runs.Format(one.Deserialize!.Milliseconds.Median),
                Both(one, static (cost, bytes) => Runs.Format(cost.MegabytesPerSecond(bytes))),
                Both(one, static (cost, bytes) => Rounded(cost.Allocated / bytes)), document(one.Format));
        }
        return table;
    }

    /// <summary>The sizes of the main data sets, with the compression ratio of the source document.</summary>
    public static Table Sizes(IReadOnlyList<Result> results)
    {
        var table = new Table("sizes", "data (native bytes)", "format", "serialized (bytes)", "K", "highest K possible", "K of .NET's objects");
        IEnumerable<Result>? lists = results.Where(static one => one.Data.Group == "lists" && one.Data.RawBytes <= MainList)
            .GroupBy(static one => one.Data.Values).MaxBy(static group => group.Key);
        IEnumerable<Result>? mixed = results.Where(static one => one.Data.Group == "mixed")
            .GroupBy(static one => one.Data.Values).MinBy(static group => group.Key);
        var tree = results.Where(static one => one.Data.Group == "tree");
        foreach (var one in (lists ?? []).Concat(tree).Concat(mixed ?? []).Where(static one => one.Failure.Length == 0))
        {
            table.Add(
                string.Create(CultureInfo.InvariantCulture, $"{one.Data.Name} ({one.Data.RawBytes:N0})"), one.Format,
                one.Bytes.ToString("N0", CultureInfo.InvariantCulture), Rounded(one.Ratio), Rounded(one.Data.HighestRatio), Rounded(one.ObjectRatio));
        }
        return table;
    }

    /// <summary>The bytes of one random integer: computed, and measured with the longest list.</summary>
    public static Table Integers(IEnumerable<Result> results)
    {
        // A list in JSON has a comma or a bracket for each value, and XML the element <int></int>.
        var computed = new Dictionary<string, double>
        {
            [FormatNames.Bytes] = IntegerTheory.Fixed,
            [FormatNames.Cbor] = IntegerTheory.Cbor,
            [FormatNames.MessagePack] = IntegerTheory.MessagePack,
            [FormatNames.MessagePackForCSharp] = IntegerTheory.MessagePack,
            [FormatNames.Protobuf] = IntegerTheory.ZigZag,
            [FormatNames.ProtobufNet] = IntegerTheory.ZigZag,
            [FormatNames.ProtobufFixed] = IntegerTheory.Fixed,
            [FormatNames.Json] = IntegerTheory.Text + 1,
            [FormatNames.Xml] = IntegerTheory.Text + "<int></int>".Length,
        };
        var table = new Table("integers", "format", "computed (bytes per value)", "measured", "difference", "document");
        table.Add("text without separators", Exact(IntegerTheory.Text), "", "", Exact(IntegerTheory.DocumentText));
        var last = results.GroupBy(static one => one.Data.Values).OrderBy(static group => group.Key).Last();
        foreach (var one in last.Where(one => computed.ContainsKey(one.Format)))
        {
            var measured = (double)one.Bytes / one.Data.Values;
            table.Add(
                one.Format, Exact(computed[one.Format]), Exact(measured), Exact(measured - computed[one.Format]),
                one.Format == FormatNames.Bytes ? "4" : "");
        }
        return table;
    }

    /// <summary>One figure of each data set of a series, by format.</summary>
    public static Table Series(string name, IEnumerable<Result> results, Func<Result, double> figure)
    {
        var table = new Table(name, [Unit(name), .. FormatNames.Compared]);
        foreach (var group in results.GroupBy(static one => one.Data.Name))
        {
            var compared = FormatNames.Compared.Select(format => group.First(one => one.Format == format));
            var cells = compared.Select(one => one.Failure.Length == 0 ? Rounded(figure(one)) : "fails");
            table.Add([LabelOf(group.First().Data, name), .. cells]);
        }
        return table;
    }

    public static double SerializeNanoseconds(Result one) => one.Serialize?.Milliseconds.Median * 1e6 / one.Data.Values ?? double.NaN;

    public static double DeserializeNanoseconds(Result one) => one.Deserialize?.Milliseconds.Median * 1e6 / one.Data.Values ?? double.NaN;

    /// <summary>Times and sizes of a series.</summary>
    public static Chart Charts(string name, string title, string across, IReadOnlyList<Result> results, Func<DataSet, double> place)
    {
        var chart = new Chart(name, title, across, "milliseconds; bytes");
        foreach (var format in FormatNames.All)
        {
            var own = results.Where(one => one.Format == format && one.Failure.Length == 0).ToArray();
            chart.Add(format, own.Select(one => (place(one.Data), one.Serialize!.Milliseconds.Median)), panel: "serialize (ms)");
            chart.Add(format, own.Select(one => (place(one.Data), one.Deserialize!.Milliseconds.Median)), panel: "deserialize (ms)");
            chart.Add(format, own.Select(one => (place(one.Data), (double)one.Bytes)), panel: "serialized (bytes)");
        }
        return chart;
    }

    private static string Both(Result one, Func<Cost, long, string> figure) =>
        $"{figure(one.Serialize!, one.Data.RawBytes)} / {figure(one.Deserialize!, one.Data.RawBytes)}";

    private static string LabelOf(DataSet data, string name) =>
        name.EndsWith("sizes", StringComparison.Ordinal) ? $"{data.Name} ({Rounded(data.HighestRatio)})" : data.Name;

    private static string Unit(string name) => name.Split('-')[^1] == "sizes" ? "K (highest possible)"
        : name.StartsWith("depth", StringComparison.Ordinal) ? "depth (ns per level)" : "values (ns each)";

    private static string Rounded(double value) =>
        double.IsFinite(value) ? value.ToString(Math.Abs(value) < 10 ? "0.00" : "#,0.#", CultureInfo.InvariantCulture) : "";

    private static string Exact(double? value) =>
        value is { } number && double.IsFinite(number) ? number.ToString("0.######", CultureInfo.InvariantCulture) : "";
}
