using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;
using CoAP.FormatComparison.Model;
using CoAP.FormatComparison.Reports;

namespace CoAP.FormatComparison;

/// <summary>Repeats the measurement of "Vergleich binärer und nicht-binärer Serialisierungsformate".</summary>
internal sealed class FormatsCommand
{
    private const int DefaultSeed = 42;
    private const int Mebi = 1 << 20;

    private readonly RunSettings _settings;
    private readonly Report _report;
    private readonly DataSets _sets;
    private readonly Measurement _measurement;
    private readonly List<Result> _results = [];

    private FormatsCommand(RunSettings settings, Report report)
    {
        (_settings, _report) = (settings, report);
        _sets = new DataSets(FormatSet.Raised, settings.Seed);
        _measurement = new Measurement(Timing.Of(settings));
    }

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var page = arguments.Text("--page", "a Markdown file");
        var seed = arguments.Count("--seed", 0, int.MaxValue) ?? DefaultSeed;
        string[] parts = ["lists", "tree", "mixed", "large", "async", "depth", "homogeneity", "breadth"];
        var settings = RunSettings.Read("formats", arguments, parts) with { Seed = seed };
        arguments.End();
        if (page is not null) { return Page.Fill(page, settings.Output); }
        var report = new Report(
            settings, "Serialization formats", "\"Vergleich binärer und nicht-binärer Serialisierungsformate\" (Raba and Noll): Python and Rust");
        report.Say("CBOR is a codec of CoAP.NET. MessagePack is Nerdbank.MessagePack, JSON is System.Text.Json, XML is XmlSerializer, Protobuf is Google.Protobuf.");
        report.Say("Buffers are reused, so the output does not count as allocated. Each result is compared with the original after each run.");
        await new FormatsCommand(settings, report).RunAsync();
        return report.ExitCode;
    }

    private async Task RunAsync()
    {
        if (_settings.Wants("lists")) { Lists(); }
        if (_settings.Wants("tree")) { Tree(); }
        if (_settings.Wants("mixed")) { Mixed(); }
        if (_settings.Wants("homogeneity")) { Homogeneity(); }
        if (_settings.Wants("breadth")) { Breadth(); }
        if (_settings.Wants("depth")) { Depth(); }
        if (_settings.Wants("async")) { Async(); }
        var large = _settings.Wants("large") ? await LargeAsync() : [];
        _report.Save(Tables.Results(_results));
        _report.Add(Tables.Sizes(_results));
        _report.Add(RankingTable.Of(_results, large));
    }

    // The largest list is the document's of 8 MB. The smaller ones show whether the time grows with the size.
    private void Lists()
    {
        var counts = _settings.Form.Choose<int[]>([64, 1024], [2048, 2 * Mebi], [2048, 65_536, 2 * Mebi], [2048, 65_536, 2 * Mebi, 16 * Mebi]);
        var results = counts.SelectMany(count => Measure(_sets.Ints(NameOf(count), count))).ToList();
        var chart = Tables.Charts("lists", "Flat lists of integers", "bytes of the integers", results, static data => data.RawBytes);
        _report.Add(chart);
        _report.Add(Tables.Times("list", results.Where(one => one.Data.Values == Math.Min(counts[^1], 2 * Mebi)), DocumentRemarks.List));
        _report.Add(Tables.Integers(results));
    }

    private void Tree() => _report.Add(Tables.Times("tree", Measure(_sets.Tree("tree of 4 levels", 4, 8)), DocumentRemarks.Tree));

    private void Mixed()
    {
        var counts = _settings.Form.Choose<int[]>([10, 100], [100, 10_000], [100, 1_000, 10_000, 100_000], [100, 1_000, 10_000, 100_000, 1_000_000]);
        var results = counts.SelectMany(count => Measure(_sets.Figure1(NameOfFigure(count), "mixed", count))).ToList();
        _report.Add(Tables.Times("mixed", results.Where(static one => one.Data.Values == 100), DocumentRemarks.None));
        _report.Add(Tables.Charts("mixed", "Lists as in figure 1", "elements", results, static data => data.Values));
    }

    private void Homogeneity()
    {
        var count = _settings.Form.Choose(50, 10_000, 10_000, 100_000);
        var all = Generators.Primitives;
        var ints = all.OrderBy(static one => one.Name != "int32").Select(static one => one.Generator).ToList();
        var results = all.SelectMany(one => Measure(_sets.Primitives(one.Name, count, one.Generator))).ToList();
        foreach (var share in new[] { 0.75, 0.5, 0.25, 0 })
        {
            var name = share == 0 ? "all six" : string.Create(CultureInfo.InvariantCulture, $"{100 * share:0}% int32");
            results.AddRange(Measure(_sets.Primitives(name, count, Generators.RandomMix(share, ints))));
        }
        _report.Add(Tables.Series("homogeneity-sizes", results, static one => one.Ratio));
        _report.Add(Tables.Series("homogeneity-serialize", results, Tables.SerializeNanoseconds));
        _report.Add(Tables.Series("homogeneity-deserialize", results, Tables.DeserializeNanoseconds));
    }

    // The same number of integers in fewer and fewer levels.
    private void Breadth()
    {
        (int Depth, int Breadth)[] shapes = _settings.Form == RunForm.Dry
            ? [(6, 2), (1, 64)]
            : [(12, 2), (6, 4), (4, 8), (3, 16), (2, 64), (1, 4096)];
        var sets = shapes.Select(shape => _sets.Lists($"{shape.Breadth} items, {shape.Depth} levels", "breadth", shape.Depth, shape.Breadth));
        var results = sets.SelectMany(Measure).ToList();
        _report.Add(Tables.Series("breadth-serialize", results, Tables.SerializeNanoseconds));
        _report.Add(Tables.Series("breadth-deserialize", results, Tables.DeserializeNanoseconds));
        _report.Add(Tables.Series("breadth-sizes", results, static one => one.Ratio));
        _report.Add(Tables.Charts(
            "breadth", "The same integers in lists of lists", "items of a list", results,
            static data => Math.Round(Math.Pow(data.Values, 1.0 / data.Depth))));
    }

    private void Depth()
    {
        var (usual, raised) = (new DepthProbe(FormatSet.Default, _settings.Seed), new DepthProbe(FormatSet.Raised, _settings.Seed));
        var (limits, errors) = (DepthTables.Limits(usual, raised), DepthTables.Errors(usual, raised));
        _report.Add(limits);
        _report.Add(errors);
        var results = DepthProbe.Depths.SelectMany(depth => Measure(_sets.Lists($"{depth:N0} levels", "depth", depth, 1))).ToList();
        _report.Add(Tables.Series("depth-serialize", results, static one => NanosecondsPerLevel(one, one.Serialize)));
        _report.Add(Tables.Series("depth-deserialize", results, static one => NanosecondsPerLevel(one, one.Deserialize)));
    }

    private void Async()
    {
        var count = _settings.Form.Choose(1024, 2 * Mebi, 2 * Mebi, 2 * Mebi);
        var data = _sets.Ints("list", count);
        var sequence = new IntSequence(_settings.Seed, count);
        _report.Add(StreamTables.Forms(IntStreams.Of(FormatSet.Raised).Select(form => _measurement.MeasureForms(data, sequence, form))));
    }

    private async Task<IReadOnlyList<LargeResult>> LargeAsync()
    {
        if (_settings.Form == RunForm.Quick) { return []; }
        var large = new LargeLists(_settings, new IntSequence(_settings.Seed, _settings.Form == RunForm.Dry ? 65_536 : 64 * Mebi));
        var results = await large.MeasureAsync(_report);
        _report.Add(StreamTables.Large(results));
        _report.Save(StreamTables.LargeRuns(results));
        return results;
    }

    private List<Result> Measure(DataSet data)
    {
        var results = data.Cases.Select(one => _measurement.Measure(data, one)).OrderBy(static one => FormatNames.PlaceOf(one.Format)).ToList();
        _results.AddRange(results);
        return results;
    }

    private static double NanosecondsPerLevel(Result one, Cost? cost) => cost?.Milliseconds.Median * 1e6 / one.Data.Depth ?? double.NaN;

    private static string NameOf(int count) =>
        count >= Mebi / sizeof(int) ? $"list of {count * 4L / Mebi} MiB" : $"list of {count * 4 / 1024.0:0.###} KiB";

    private static string NameOfFigure(int count) => string.Create(CultureInfo.InvariantCulture, $"figure 1, {count:N0} elements");
}
