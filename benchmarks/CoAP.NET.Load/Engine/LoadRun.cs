namespace CoAP.Load;

/// <summary>Makes load on a server and measures it: the engine's front door.</summary>
internal static class LoadRun
{
    private const long Second = 1000 * Clock.Millisecond;

    /// <summary>Runs on the calling thread until the time is over.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">The server cannot be reached.</exception>
    /// <exception cref="ArgumentException">The settings contradict each other, or there is no such process.</exception>
    public static LoadResult Run(LoadSettings settings, CancellationToken cancellationToken = default)
    {
        using LoadLoop loop = settings.IsTcp ? new TcpLoop(settings) : new UdpLoop(settings);
        using var stop = cancellationToken.Register(() => loop.IsStopped = true);
        loop.Open();
        loop.Start();
        loop.RunUntil(Clock.Now + Clock.ToNanoseconds(settings.WarmUp));
        var perSecond = new List<long>((int)settings.Duration.TotalSeconds + 1);
        var before = Probe(settings);
        var (own, allocated) = (ProcessProbe.Of(Environment.ProcessId), GC.GetAllocatedBytesForCurrentThread());
        var begin = Clock.Now;
        loop.Measure();
        Measure(loop, begin, settings, perSecond);
        var time = Clock.Now - begin;
        var (allocatedSince, ownSince) = (GC.GetAllocatedBytesForCurrentThread() - allocated, ProcessProbe.Of(Environment.ProcessId));
        var after = Probe(settings);
        loop.Finish();
        return new LoadResult(
            settings, TimeSpan.FromTicks(time / TimeSpan.NanosecondsPerTick), loop.Tallies.Measured, ownSince.Cpu - own.Cpu, allocatedSince, perSecond)
        {
            Server = before is { } first && after is { } last ? (first, last) : null,
        };
    }

    private static void Measure(LoadLoop loop, long begin, LoadSettings settings, List<long> perSecond)
    {
        var end = begin + Clock.ToNanoseconds(settings.Duration);
        long counted = 0;
        for (var next = begin + Second; Clock.Now < end; next += Second)
        {
            loop.RunUntil(Math.Min(next, end), settings.Limit);
            if (Clock.Now < Math.Min(next, end)) { return; }
            perSecond.Add(loop.Tallies.Measured.Good - counted);
            counted = loop.Tallies.Measured.Good;
        }
    }

    private static ProcessProbe? Probe(LoadSettings settings) => settings.ServerProcess is { } id ? ProcessProbe.Of(id) : null;
}
