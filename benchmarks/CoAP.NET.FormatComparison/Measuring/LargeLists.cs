using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Measuring;

/// <summary>The runs of one large list in one format.</summary>
/// <param name="Format">The name of the format.</param>
/// <param name="Form">Whole or item by item.</param>
/// <param name="Values">The size of the integers, in bytes.</param>
/// <param name="Runs">The figures of each run.</param>
internal sealed record LargeResult(string Format, string Form, long Values, IReadOnlyList<LargeFigures> Runs)
{
    public Runs Serialize => new(Runs.Select(static run => run.SerializeMilliseconds));

    public Runs Deserialize => new(Runs.Select(static run => run.DeserializeMilliseconds));

    /// <summary>The highest peak of all runs as a multiple of the values.</summary>
    public double SerializePeak => (double)Runs.Max(static run => run.SerializePeak) / Values;

    /// <inheritdoc cref="SerializePeak"/>
    public double DeserializePeak => (double)Runs.Max(static run => run.DeserializePeak) / Values;
}

/// <summary>Measures a large list in all formats, each run in a process of its own.</summary>
internal sealed class LargeLists(RunSettings settings, IntSequence sequence)
{
    // The highest multiple of the values that a form without a serialized list may take.
    private const double MostMemory = 1.1;
    private const long EnoughValues = 256 << 20;

    private static readonly TimeSpan Budget = TimeSpan.FromSeconds(45);

    public async Task<IReadOnlyList<LargeResult>> MeasureAsync(Report report)
    {
        var results = new List<LargeResult>();
        if (!OperatingSystem.IsLinux())
        {
            report.Say("The large lists are left out: resident memory is read from /proc.");
            return results;
        }
        foreach (var format in FormatNames.All.Where(CanBeWhole)) { results.Add(await RepeatAsync(format, LargeRun.Whole)); }
        foreach (var form in IntStreams.Of(FormatSet.Raised))
        {
            results.Add(await RepeatAsync(form.Format, LargeRun.Items));
            if (form.WriteAsync is not null) { results.Add(await RepeatAsync(form.Format, LargeRun.ItemsAsync)); }
        }
        if (results[0].Values >= EnoughValues)
        {
            report.Fail(results.Count(static one => one.Form != LargeRun.Whole && Math.Max(one.SerializePeak, one.DeserializePeak) > MostMemory));
        }
        return results;
    }

    // XML takes more than an array can hold, and the objects of the generic schema more than PayloadLimits.MaxMemory allows.
    private bool CanBeWhole(string format) => format is not (FormatNames.Xml or FormatNames.ProtobufGeneric) || sequence.Count < 1 << 24;

    private async Task<LargeResult> RepeatAsync(string format, string form)
    {
        var repeats = settings.Repeats ?? settings.Form.Choose(1, 1, 3, 5);
        var runs = new List<LargeFigures>();
        var all = Stopwatch.StartNew();
        while (runs.Count < repeats && (runs.Count == 0 || all.Elapsed < Budget))
        {
            runs.Add(await LargeRun.StartAsync(format, form, sequence, settings.Form == RunForm.Dry ? 0 : 1_000));
        }
        return new LargeResult(format, form, (long)sequence.Count * sizeof(int), runs);
    }
}
