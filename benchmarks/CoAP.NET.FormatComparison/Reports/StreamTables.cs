using CoAP.FormatComparison.Measuring;

namespace CoAP.FormatComparison.Reports;

/// <summary>The tables of large lists, and of synchronous and asynchronous forms.</summary>
internal static class StreamTables
{
    /// <summary>The time and the memory of a large list.</summary>
    public static Table Large(IEnumerable<LargeResult> results)
    {
        var table = new Table(
            "large", "format", "form", "serialize (ms)", "deserialize (ms)",
            "memory to serialize (multiple of the values)", "memory to deserialize (multiple of the values)");
        foreach (var one in results)
        {
            table.Add(
                one.Format, one.Form, Runs.Format(one.Serialize.Median), Runs.Format(one.Deserialize.Median),
                Multiple(one.SerializePeak), Multiple(one.DeserializePeak));
        }
        return table;
    }

    /// <summary>Every run of a large list.</summary>
    public static Table LargeRuns(IEnumerable<LargeResult> results)
    {
        var table = new Table(
            "large-runs", "format", "form", "values (bytes)", "serialized (bytes)", "serialize (ms)", "deserialize (ms)",
            "serialize peak (bytes)", "deserialize peak (bytes)");
        foreach (var (one, run) in results.SelectMany(static one => one.Runs.Select(run => (one, run))))
        {
            table.Add(
                one.Format, one.Form, $"{one.Values}", $"{run.Bytes}", Runs.Format(run.SerializeMilliseconds),
                Runs.Format(run.DeserializeMilliseconds), $"{run.SerializePeak}", $"{run.DeserializePeak}");
        }
        return table;
    }

    /// <summary>The three forms of each format.</summary>
    public static Table Forms(IEnumerable<FormCosts> results)
    {
        var table = new Table(
            "async", "format", "serialize: buffer (ms)", "serialize: stream, sync / async (ms)", "deserialize: buffer (ms)",
            "deserialize: stream, sync / async (ms)");
        foreach (var one in results)
        {
            table.Add(
                one.Format, Text(one.Whole.Serialize), Both(one, static form => form.Serialize),
                Text(one.Whole.Deserialize), Both(one, static form => form.Deserialize));
        }
        return table;
    }

    private static string Both(FormCosts one, Func<(Cost Serialize, Cost Deserialize), Cost> cost) =>
        $"{Text(cost(one.Sync))} / {(one.Async is { } form ? Text(cost(form)) : "has none")}";

    private static string Text(Cost? cost) => cost is null ? "" : Runs.Format(cost.Milliseconds.Median);

    private static string Multiple(double value) => value.ToString("0.000", CultureInfo.InvariantCulture);
}
