namespace CoAP.Benchmarks;

/// <summary>Measures two things in turns, A B B A, and keeps the fastest run of each: other work on the machine slows single runs.</summary>
/// <param name="warmUp">How long both run in turns before the measurement. .NET compiles code in full only after it has run often and for a while.</param>
/// <param name="time">The time of all rounds. There are at least twenty rounds.</param>
internal sealed class Turns(TimeSpan warmUp, TimeSpan time)
{
    private const int LeastRounds = 20;
    private const int CallsOfWarmUp = 10;
    private static readonly double RunTicks = Stopwatch.Frequency / 1000.0;

    /// <summary>Returns the nanoseconds that one call of each takes.</summary>
    /// <param name="first">Makes the given number of calls of the baseline.</param>
    /// <param name="second">Makes the given number of calls of the measured code.</param>
    /// <param name="enough">The ratio of the second to the first at which twenty rounds are enough.</param>
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
            // The second of a round finds other caches and another heap, so they take turns.
            if (round % 2 == 0) { firstLeast = Math.Min(firstLeast, await NanosecondsAsync(first, firstCount)); }
            secondLeast = Math.Min(secondLeast, await NanosecondsAsync(second, secondCount));
            if (round % 2 != 0) { firstLeast = Math.Min(firstLeast, await NanosecondsAsync(first, firstCount)); }
        }
        return (firstLeast, secondLeast);
    }

    // The calls that fit into a millisecond.
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
