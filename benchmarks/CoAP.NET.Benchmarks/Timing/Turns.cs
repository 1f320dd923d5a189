using System.Diagnostics;

namespace CoAP.Benchmarks.Timing;

/// <summary>
/// Two things measured in turns, A B B A; only the fastest run of each counts, so that what else the machine does does not. What is measured
/// gets a number of calls to make, in which it may wait.
/// </summary>
/// <param name="warmUp">Both in turns before anything counts: code is compiled in full only after it has run often and for a while.</param>
/// <param name="time">Rounds go on until this time is over, and there are twenty at the least.</param>
internal sealed class Turns(TimeSpan warmUp, TimeSpan time)
{
    private const int LeastRounds = 20;
    private const int CallsOfWarmUp = 10;
    private static readonly double RunTicks = Stopwatch.Frequency / 1000.0;

    /// <summary>The nanoseconds that one call of each takes.</summary>
    /// <param name="first">What is held against it.</param>
    /// <param name="second">What is measured.</param>
    /// <param name="enough">The ratio of the second to the first with which twenty rounds are enough; none by default.</param>
    public async ValueTask<(double First, double Second)> MeasureAsync(Func<int, ValueTask> first, Func<int, ValueTask> second, double enough = 0)
    {
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < warmUp;)
        {
            await first(CallsOfWarmUp);
            await second(CallsOfWarmUp);
        }
        var (firstCount, secondCount) = (await CountOfAsync(first), await CountOfAsync(second));
        var (firstLeast, secondLeast) = (double.MaxValue, double.MaxValue);
        var total = Stopwatch.StartNew();
        for (var round = 0; round < LeastRounds || (total.Elapsed < time && secondLeast > enough * firstLeast); round++)
        {
            // Who comes second finds other caches and another heap, so each comes second in turn.
            if (round % 2 == 0) { firstLeast = Math.Min(firstLeast, await NanosecondsAsync(first, firstCount)); }
            secondLeast = Math.Min(secondLeast, await NanosecondsAsync(second, secondCount));
            if (round % 2 != 0) { firstLeast = Math.Min(firstLeast, await NanosecondsAsync(first, firstCount)); }
        }
        return (firstLeast, secondLeast);
    }

    // As many calls as a millisecond has.
    private static async ValueTask<int> CountOfAsync(Func<int, ValueTask> work)
    {
        for (var count = 1; ; count *= 2)
        {
            var begin = Stopwatch.GetTimestamp();
            await work(count);
            var ticks = Stopwatch.GetTimestamp() - begin;
            if (ticks >= RunTicks) { return Math.Max(1, (int)(count * RunTicks / ticks)); }
        }
    }

    private static async ValueTask<double> NanosecondsAsync(Func<int, ValueTask> work, int count)
    {
        var begin = Stopwatch.GetTimestamp();
        await work(count);
        return Stopwatch.GetElapsedTime(begin).TotalNanoseconds / count;
    }
}
