using System.Globalization;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Benchmarks.Suite;
using CoAP.Benchmarks.Timing;
using CoAP.Measurements.Reporting;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Pairs;

/// <summary>Sync against async to the same end and in turns, from the smallest message to a large one: is there a size from which one is faster?</summary>
internal static class PairsCommand
{
    private static readonly (int Options, int ValueLength, int Payload)[] Sizes =
        [(0, 7, 0), (16, 7, 0), (0, 7, 1_024), (1_024, 7, 0), (0, 7, 16_384), (1_024, 255, 4_096), (0, 7, 131_072), (131_072, 7, 131_072)];

    public static async Task<int> RunAsync(SuiteSettings settings)
    {
        var report = new SuiteReport(settings);
        var (warmUp, time) = settings.Form switch
        {
            RunForm.Dry => (0, 0),
            RunForm.Quick => (100, 200),
            RunForm.Usual => (500, 1_500),
            _ => (1_000, 10_000),
        };
        var turns = new Turns(TimeSpan.FromMilliseconds(warmUp), TimeSpan.FromMilliseconds(time));
        var table = new Table("pairs", "method", "end", "options", "value bytes", "payload", "message bytes", "sync (ns)", "async (ns)", "async to sync", "async - sync (ns)");
        foreach (var (options, length, payload) in Sizes)
        {
            var message = GridMessage.Create(settings.Seed, GridMessage.Options(settings.Seed, options, length), payload);
            foreach (var pair in CodecPairs.Of(message))
            {
                var (sync, async) = await turns.MeasureAsync(n => RepeatAsync(n, pair.Sync), n => RepeatAsync(n, pair.Async));
                table.Add(
                    pair.Method, pair.End, Text(options), Text(length), Text(payload), Text(CoapMessageSerializer.Datagram.GetSize(message)),
                    Text(sync), Text(async), (async / sync).ToString("0.000", CultureInfo.InvariantCulture), Text(async - sync));
            }
        }
        report.Add(table);
        return 0;
    }

    private static async ValueTask RepeatAsync(int count, Func<ValueTask> work)
    {
        for (var i = 0; i < count; i++) { await work(); }
    }

    private static string Text(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
