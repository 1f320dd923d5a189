using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace CoAP.Measurements.Servers.Hosting;

/// <summary>Handlers that do not answer at once, each as somebody would write it for the model.</summary>
internal static class WaitingHandlers
{
    /// <summary>The upstream resources that one request needs.</summary>
    public const int Upstreams = 4;

    private static readonly TimeSpan Upstream = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan SlowUpstream = TimeSpan.FromMilliseconds(30);
    private static readonly CoapResponse Done = Response.Content("done");
    private static readonly long Rounds = CalibratedRounds();
    private static int _asked;

    /// <summary>Maps them: awaiting in the async models, blocking in the others, in the mixed form behind the buffer.</summary>
    public static void Map(ResourceMap resources, ServerModel model)
    {
        var mayAwait = model is ServerModel.Single or ServerModel.Cores;
        foreach (var milliseconds in new[] { 1, 10, 100 })
        {
            var time = TimeSpan.FromMilliseconds(milliseconds);
            Add($"db{milliseconds}", () => Task.Delay(time), () => Thread.Sleep(time));
        }
        Compute(Rounds);
        Add("all", AllAsync, All);
        Add("first", FirstAsync, First);

        // Nothing to await here: in the async models they stand where they should not, on the loop.
        var mode = mayAwait ? HandlerMode.Inline : HandlerMode.Buffered;
        resources.At("compute").Get(_ => Computed(), mode);
        resources.At("foreign").Get(_ => After(() => Thread.Sleep(Upstream)), mode);

        void Add(string path, Func<Task> awaited, Action blocking)
        {
            if (mayAwait) { resources.At(path).Get((_, _) => AfterAsync(awaited)); }
            else { resources.At(path).Get(_ => After(blocking)); }
        }
    }

    private static async ValueTask<CoapResponse> AfterAsync(Func<Task> wait)
    {
        await wait();
        return Done;
    }

    private static CoapResponse After(Action wait)
    {
        wait();
        return Done;
    }

    private static Task AllAsync() => Task.WhenAll(Enumerable.Range(0, Upstreams).Select(_ => Task.Delay(Upstream)));

    // Blocking code asks one after the other, unless it is given threads for each request.
    private static void All()
    {
        for (int i = 0; i < Upstreams; i++) { Thread.Sleep(Upstream); }
    }

    private static Task FirstAsync() => Task.WhenAny(Task.Delay(Upstream), Task.Delay(SlowUpstream));

    // Blocking code has to choose one, and does not know which one is slow today.
    private static void First() => Thread.Sleep(Interlocked.Increment(ref _asked) % 2 == 0 ? Upstream : SlowUpstream);

    // So many rounds and not so long by the clock: as much work however many do it at once.
    private static CoapResponse Computed() => Compute(Rounds) == 0 ? Response.Content("zero") : Done;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static uint Compute(long rounds)
    {
        var value = 1u;
        for (var i = 0L; i < rounds; i++) { value = value * 1664525 + 1013904223; }
        return value;
    }

    // What takes as long as an upstream resource on this machine; the shortest of several tries, because other processes take their share.
    private static long CalibratedRounds()
    {
        const long Sample = 3_000_000;
        var shortest = TimeSpan.MaxValue;
        var value = 0u;
        for (int i = 0; i < 8; i++)
        {
            var started = Stopwatch.GetTimestamp();
            value ^= Compute(Sample);
            var taken = Stopwatch.GetElapsedTime(started);
            if (taken < shortest) { shortest = taken; }
        }
        return (long)(Sample * (Upstream / shortest)) + (value & 1);
    }
}
