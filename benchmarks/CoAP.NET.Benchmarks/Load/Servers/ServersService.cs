using System.Runtime.CompilerServices;

namespace CoAP.Benchmarks.Load;

/// <summary>The reverse echo over CoAP, and handlers that do not answer at once, each in the usual form for the model.</summary>
internal static class ServersService
{
    /// <summary>The handler threads of the mixed model.</summary>
    public const int MixedThreads = 64;

    private const int Upstreams = 4;

    private static readonly TimeSpan Upstream = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan SlowUpstream = TimeSpan.FromMilliseconds(30);
    private static readonly CoapResponse Done = Response.Content("done");
    private static readonly CoapResponse Hello = Response.Content("Hello, CoAP!");
    private static readonly long Rounds = CalibratedRounds();
    private static int _asked;
    private static uint _computed;

    public static Task<IService> StartAsync(ServiceValues values)
    {
        var model = values.OneOf<ServerModel>("model");
        var settings = Limits.Server with
        {
            Mode = model switch { ServerModel.Single => ServerMode.AsyncSingle, ServerModel.Threads => ServerMode.Sync, _ => ServerMode.Async },
        };
        if (model == ServerModel.Mixed) { settings = settings with { HandlerThreads = MixedThreads }; }
        return CoapService.StartAsync(settings, ["tcp"], server =>
        {
            server.Resources.At("reverse").Post(static (request, _) => new(Reverse(request.Payload)));
            server.Resources.At("hello").Get(static (_, _) => new(Hello));
            MapWaiting(server.Resources, mayAwait: model is ServerModel.Single or ServerModel.Cores);
        });
    }

    private static CoapResponse Reverse(ReadOnlyMemory<byte> payload)
    {
        var reversed = payload.ToArray();
        reversed.AsSpan().Reverse();
        return new CoapResponse(ResponseCode.Changed) { Payload = reversed };
    }

    // Awaiting in the async models, blocking in the others; in the mixed model behind the queue.
    private static void MapWaiting(ResourceMap resources, bool mayAwait)
    {
        foreach (var milliseconds in new[] { 1, 10, 100 })
        {
            var time = TimeSpan.FromMilliseconds(milliseconds);
            Add($"db{milliseconds}", () => Task.Delay(time), () => Thread.Sleep(time));
        }
        Add("all", AllAsync, All);
        Add("first", FirstAsync, First);
        // Nothing can be awaited here: in the async models these run on the loop, where they should not.
        var mode = mayAwait ? HandlerMode.Inline : HandlerMode.Buffered;
        resources.At("compute").Get(static _ => After(() => Compute(Rounds)), mode);
        resources.At("foreign").Get(static _ => After(() => Thread.Sleep(Upstream)), mode);

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

    private static Task AllAsync() => Task.WhenAll(Enumerable.Range(0, Upstreams).Select(static _ => Task.Delay(Upstream)));

    // Blocking code asks one after another, because a request has one thread.
    private static void All()
    {
        for (var at = 0; at < Upstreams; at++) { Thread.Sleep(Upstream); }
    }

    private static Task FirstAsync() => Task.WhenAny(Task.Delay(Upstream), Task.Delay(SlowUpstream));

    // Blocking code has to choose one, and does not know which one is slow today.
    private static void First() => Thread.Sleep(Interlocked.Increment(ref _asked) % 2 == 0 ? Upstream : SlowUpstream);

    // A number of rounds and not a time, so that the work stays the same when many do it at once.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Compute(long rounds)
    {
        var value = 1u;
        for (var i = 0L; i < rounds; i++) { value = value * 1664525 + 1013904223; }
        Volatile.Write(ref _computed, value);
    }

    // As many rounds as an upstream takes on this machine. The shortest of several tries, because other processes take their share.
    private static long CalibratedRounds()
    {
        const long Sample = 3_000_000;
        var shortest = TimeSpan.MaxValue;
        for (var at = 0; at < 8; at++)
        {
            var started = Stopwatch.GetTimestamp();
            Compute(Sample);
            var taken = Stopwatch.GetElapsedTime(started);
            if (taken < shortest) { shortest = taken; }
        }
        return (long)(Sample * (Upstream / shortest));
    }
}
