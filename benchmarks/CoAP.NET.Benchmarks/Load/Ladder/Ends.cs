using System.Runtime.CompilerServices;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>One run of turn-arounds. Times are half of a turn-around, in nanoseconds; waits and losses are voluntary and involuntary context switches.</summary>
internal readonly record struct HandOffRun(double Least, double Mean, long Waits, long Losses, int Collections);

/// <summary>Two ends that wait for each other, used again for every run. The ends block, or both await.</summary>
internal sealed class Ends : IDisposable
{
    private readonly Action? _blocking;
    private readonly Func<ValueTask<int>>? _awaited;
    private readonly Action _end;
    private readonly Thread? _echo;

    private Ends(Action? blocking, Func<ValueTask<int>>? awaited, Action end, Thread? echo) => (_blocking, _awaited, _end, _echo) = (blocking, awaited, end, echo);

    /// <summary>Creates ends that block.</summary>
    /// <param name="turn">Hands over to the other end and takes back, on the calling thread.</param>
    /// <param name="end">Ends the echo.</param>
    /// <param name="echo">The other end, which gets its own thread; <c>null</c> if it is in another process.</param>
    /// <param name="placement">The core of that thread.</param>
    public static Ends Block(Action turn, Action end, Action? echo = null, Placement? placement = null)
    {
        var thread = echo is null ? null : new Thread(() =>
        {
            if (placement?.Echoing is { } core) { Processors.Pin(core); }
            echo();
        })
        { IsBackground = true };
        thread?.Start();
        return new Ends(turn, null, end, thread);
    }

    /// <summary>Creates ends that await, on the runtime's thread pool.</summary>
    /// <param name="turn">Hands over to the other end and takes back.</param>
    /// <param name="end">Ends the echo.</param>
    /// <param name="echo">The other end; <c>null</c> if it needs no loop.</param>
    public static Ends Await(Func<ValueTask<int>> turn, Action end, Func<Task>? echo = null)
    {
        if (echo is not null) { _ = Task.Run(echo); }
        return new Ends(null, turn, end, null);
    }

    /// <summary>Makes a number of turn-arounds and records the time of each, there and back.</summary>
    public HandOffRun Run(int turns, LatencyHistogram all)
    {
        var (before, collections, started) = (Usage.Now(), GC.CollectionCount(0), Clock.Now);
        var least = _blocking is not null ? Block(_blocking, turns, all) : Task.Run(() => AwaitAsync(_awaited!, turns, all)).GetAwaiter().GetResult();
        var mean = (double)(Clock.Now - started) / turns;
        var used = Usage.Now().Since(before);
        return new HandOffRun(least / 2.0, mean / 2, used.Waits, used.Losses, GC.CollectionCount(0) - collections);
    }

    public void Dispose()
    {
        _end();
        _echo?.Join();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static long Block(Action turn, int turns, LatencyHistogram all)
    {
        var least = long.MaxValue;
        for (var i = 0; i < turns; i++)
        {
            var sent = Clock.Now;
            turn();
            var took = Clock.Now - sent;
            least = Math.Min(least, took);
            all.Record(took);
        }
        return least;
    }

    private static async Task<long> AwaitAsync(Func<ValueTask<int>> turn, int turns, LatencyHistogram all)
    {
        var least = long.MaxValue;
        for (var i = 0; i < turns; i++)
        {
            var sent = Clock.Now;
            await turn();
            var took = Clock.Now - sent;
            least = Math.Min(least, took);
            all.Record(took);
        }
        return least;
    }
}

/// <summary>Processor time, and voluntary and involuntary context switches, of this process and of another one.</summary>
internal readonly record struct Usage(TimeSpan Cpu, long Waits, long Losses)
{
    public static unsafe Usage Now(int? other = null)
    {
        RawUsage raw;
        _ = ProcessCalls.GetUsage(0, &raw);
        var own = TimeSpan.FromMicroseconds(((raw.UserSeconds + raw.SystemSeconds) * 1e6) + raw.UserMicroseconds + raw.SystemMicroseconds);
        return other is { } process && ProcessUsage.Of(process) is var theirs
            ? new Usage(own + theirs.Cpu, raw.Voluntary + theirs.Switches, raw.Involuntary)
            : new Usage(own, raw.Voluntary, raw.Involuntary);
    }

    public Usage Since(Usage earlier) => new(Cpu - earlier.Cpu, Waits - earlier.Waits, Losses - earlier.Losses);
}
