using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Load on one server, on the calling thread: the way into the engine.</summary>
internal sealed class Load : IDisposable
{
    private static readonly TimeSpan LastAnswers = TimeSpan.FromMilliseconds(200);

    private readonly LoadSettings _settings;
    private readonly LoadLoop _loop;

    /// <summary>Opens the sockets.</summary>
    /// <exception cref="SocketException">The server cannot be reached.</exception>
    public Load(LoadSettings settings)
    {
        _settings = settings;
        var (loop, request) = (settings.ToLoop(), settings.ToShape());
        _loop = settings.IsTcp ? new TcpLoop(loop, request, settings.Source) : new UdpLoop(loop, request);
        try
        {
            _loop.Open();
        }
        catch
        {
            _loop.Dispose();
            throw;
        }
    }

    /// <summary>Opens sockets, warms up and measures.</summary>
    public static LoadResult Run(LoadSettings settings, CancellationToken cancellationToken = default)
    {
        using var load = new Load(settings);
        load.WarmUp(settings.WarmUp);
        return load.Measure(settings.Duration, cancellationToken);
    }

    /// <summary>Runs several loads at the same time, each on a thread of its own. The threads run where the calling thread may run.</summary>
    public static LoadResult[] RunTogether(params LoadSettings[] all)
    {
        var runs = all.Select(static settings => Task.Factory.StartNew(() => Run(settings), TaskCreationOptions.LongRunning)).ToArray();
        return Task.WhenAll(runs).GetAwaiter().GetResult();
    }

    /// <summary>Runs the load without counting.</summary>
    public void WarmUp(TimeSpan time)
    {
        _loop.Start();
        _loop.RunUntil(Clock.Now + Clock.ToNanoseconds(time));
    }

    /// <summary>Runs the load and counts, then waits a moment for the last answers.</summary>
    public LoadResult Measure(TimeSpan time, CancellationToken cancellationToken = default)
    {
        using var stop = cancellationToken.Register(() => _loop.IsStopped = true);
        _loop.Start();
        var before = Probe();
        _loop.Measure();
        var (own, allocated, begin) = (Environment.CpuUsage.TotalTime, GC.GetAllocatedBytesForCurrentThread(), Clock.Now);
        _loop.RunUntil(begin + Clock.ToNanoseconds(time), _settings.Limit);
        var took = TimeSpan.FromMicroseconds((Clock.Now - begin) / 1e3);
        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        own = Environment.CpuUsage.TotalTime - own;
        var after = Probe();
        var tally = _loop.Finish(_settings.Rate is null ? LastAnswers : _settings.Patience + LastAnswers);
        return new LoadResult(_settings, took, tally, own, allocated, before is null || after is null ? null : (before, after));
    }

    public void Dispose() => _loop.Dispose();

    private ProcessUsage? Probe() => _settings.ServerProcess is { } process ? ProcessUsage.Of(process) : null;
}
