namespace CoAP.Benchmarks;

/// <summary>Sync against async with the same end and in turns, from the smallest message to a large one: is there a size from which one is faster?</summary>
internal static class PairsCommand
{
    private static readonly (int Options, int ValueLength, int Payload)[] Sizes =
        [(0, 7, 0), (16, 7, 0), (0, 7, 1_024), (1_024, 7, 0), (0, 7, 16_384), (1_024, 255, 4_096), (0, 7, 131_072), (131_072, 7, 131_072)];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("pairs", arguments);
        arguments.End();
        var report = new Report(settings, "Sync against async, in turns");
        var (warmUp, time) = settings.Form.Choose((0, 0), (100, 200), (500, 1_500), (1_000, 10_000));
        var turns = new Turns(TimeSpan.FromMilliseconds(warmUp), TimeSpan.FromMilliseconds(time));
        var table = new Table("times", "method", "end", "options", "value bytes", "payload", "message bytes", "sync (ns)", "async (ns)", "async to sync", "async - sync (ns)");
        foreach (var (options, length, payload) in Sizes)
        {
            var message = GridMessage.Create(settings.Seed, options, length, payload);
            foreach (var pair in CodecPairs.Of(message))
            {
                var (sync, async) = await turns.MeasureAsync(n => RepeatAsync(n, pair.Sync), n => RepeatAsync(n, pair.Async));
                table.Add(
                    pair.Method, pair.End, $"{options}", $"{length}", $"{payload}", $"{CoapMessageSerializer.Datagram.GetSize(message)}",
                    Text(sync), Text(async), Runs.Format(async / sync), Text(async - sync));
            }
        }
        report.Add(table);
        return report.ExitCode;
    }

    private static async ValueTask RepeatAsync(int count, Func<ValueTask> work)
    {
        for (var i = 0; i < count; i++) { await work(); }
    }

    private static string Text(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
