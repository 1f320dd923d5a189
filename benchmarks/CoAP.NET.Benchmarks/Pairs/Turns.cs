using System.Diagnostics;

namespace CoAP.Benchmarks.Pairs;

/// <summary>Two forms of one work measured in turns, A B B A; the fastest run of each counts, so that what else the machine does does not.</summary>
internal static class Turns
{
    private const int LeastRounds = 20;
    private static readonly TimeSpan Run = TimeSpan.FromMilliseconds(1);

    /// <summary>The nanoseconds that each form takes.</summary>
    public static async Task<(double Sync, double Async)> MeasureAsync(Pair pair, TimeSpan warmUp, TimeSpan time)
    {
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < warmUp;)
        {
            await RepeatAsync(pair.Sync, 10);
            await RepeatAsync(pair.Async, 10);
        }
        var (syncCount, asyncCount) = (await CountOfAsync(pair.Sync), await CountOfAsync(pair.Async));
        var (sync, async) = (double.MaxValue, double.MaxValue);
        var total = Stopwatch.StartNew();
        for (var round = 0; round < LeastRounds || total.Elapsed < time; round++)
        {
            // Who comes second finds other caches and another heap, so each comes second in turn.
            if (round % 2 == 0) { sync = await LeastAsync(pair.Sync, syncCount, sync); }
            async = await LeastAsync(pair.Async, asyncCount, async);
            if (round % 2 != 0) { sync = await LeastAsync(pair.Sync, syncCount, sync); }
        }
        return (sync, async);
    }

    private static async Task<int> CountOfAsync(Func<ValueTask> work)
    {
        for (var count = 1; ; count *= 2)
        {
            if (await RepeatAsync(work, count) >= Run) { return count; }
        }
    }

    private static async ValueTask<double> LeastAsync(Func<ValueTask> work, int count, double least) =>
        Math.Min(least, (await RepeatAsync(work, count)).TotalNanoseconds / count);

    private static async ValueTask<TimeSpan> RepeatAsync(Func<ValueTask> work, int count)
    {
        var begin = Stopwatch.GetTimestamp();
        for (var i = 0; i < count; i++) { await work(); }
        return Stopwatch.GetElapsedTime(begin);
    }
}
