using System.Diagnostics;
using System.Runtime.CompilerServices;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>The loop that is timed. One for blocking turns and the same for awaited ones; it allocates nothing.</summary>
internal static class HandOffLoop
{
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static HandOffRun Run<TTurn>(ref TTurn turn, int turns, Latencies all)
        where TTurn : struct, ITurn
    {
        var (usage, collections) = (Native.Now(), GC.CollectionCount(0));
        var least = long.MaxValue;
        var started = Stopwatch.GetTimestamp();
        for (var i = 0; i < turns; i++)
        {
            var sent = Stopwatch.GetTimestamp();
            turn.ThereAndBack();
            var took = Stopwatch.GetTimestamp() - sent;
            if (took < least) { least = took; }
            all.Add(took);
        }
        return Finish(started, turns, least, usage, collections);
    }

    public static async Task<HandOffRun> RunAsync<TTurn>(TTurn turn, int turns, Latencies all)
        where TTurn : struct, IAwaitedTurn
    {
        var (usage, collections) = (Native.Now(), GC.CollectionCount(0));
        var least = long.MaxValue;
        var started = Stopwatch.GetTimestamp();
        for (var i = 0; i < turns; i++)
        {
            var sent = Stopwatch.GetTimestamp();
            await turn.ThereAndBackAsync();
            var took = Stopwatch.GetTimestamp() - sent;
            if (took < least) { least = took; }
            all.Add(took);
        }
        return Finish(started, turns, least, usage, collections);
    }

    private static HandOffRun Finish(long started, int turns, long least, Usage usage, int collections)
    {
        var mean = (double)(Stopwatch.GetTimestamp() - started) / turns;
        var used = Native.Now().Since(usage);
        return new HandOffRun(OneWay(least), OneWay(mean), used.Waits, used.Losses, GC.CollectionCount(0) - collections);
    }

    private static double OneWay(double ticks) => ticks * 1e9 / Stopwatch.Frequency / 2;
}
