using System.Diagnostics;

namespace CoAP.Benchmarks.Checks;

/// <summary>Two things measured in turns, A B A B; only the fastest run of each counts, so that what else the machine does does not.</summary>
internal static class Alternation
{
    private const int Rounds = 20;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);
    private static readonly double RunTicks = Stopwatch.Frequency / 1000.0;

    /// <summary>Whether every ratio gets all the time, so that it may also come out better than meant.</summary>
    public static bool IsThorough { get; set; }

    /// <summary>
    /// The nanoseconds that one call of each takes. On a busy machine there are more rounds, until the second's are as few as meant or three
    /// seconds are over: the compiler's thread may not have had its turn either.
    /// </summary>
    public static (double First, double Second) Measure(Action<int> first, Action<int> second, double target)
    {
        Warm(first, second);
        var (firstCount, secondCount) = (CountOf(first), CountOf(second));
        var (firstLeast, secondLeast) = (double.MaxValue, double.MaxValue);
        var watch = Stopwatch.StartNew();
        for (var round = 0; round < Rounds || (watch.Elapsed < Patience && (IsThorough || secondLeast > target * firstLeast)); round++)
        {
            firstLeast = Math.Min(firstLeast, Nanoseconds(first, firstCount));
            secondLeast = Math.Min(secondLeast, Nanoseconds(second, secondCount));
        }
        return (firstLeast, secondLeast);
    }

    /// <summary>The bytes that one call allocates on this thread.</summary>
    public static double Allocated(Action<int> work)
    {
        const int Count = 1_000;
        work(Count);
        var before = GC.GetAllocatedBytesForCurrentThread();
        work(Count);
        return (GC.GetAllocatedBytesForCurrentThread() - before) / (double)Count;
    }

    // Code is compiled in full only after it has run often and for a while.
    private static void Warm(Action<int> first, Action<int> second)
    {
        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 300;)
        {
            first(30);
            second(30);
        }
    }

    private static int CountOf(Action<int> work)
    {
        for (var count = 1; ; count *= 2)
        {
            var begin = Stopwatch.GetTimestamp();
            work(count);
            var ticks = Stopwatch.GetTimestamp() - begin;
            if (ticks >= RunTicks) { return Math.Max(1, (int)(count * RunTicks / ticks)); }
        }
    }

    private static double Nanoseconds(Action<int> work, int count)
    {
        var begin = Stopwatch.GetTimestamp();
        work(count);
        return Stopwatch.GetElapsedTime(begin).TotalNanoseconds / count;
    }
}
