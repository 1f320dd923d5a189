using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Many controllers that report at the same time, on one thread. Each has a socket and waits for its answer.</summary>
internal sealed class ReportingLoad : IDisposable
{
    private const int Largest = 2048;
    private const long Patience = 2 * Clock.Second, Pause = 200 * Clock.Millisecond, SweepEach = 50 * Clock.Millisecond, Turn = Clock.Millisecond;
    private const byte Changed = 0x44;

    private readonly ReportingDevice[] _devices;
    private readonly Epoll _epoll = new();
    private readonly byte[] _buffer = new byte[Largest];
    private readonly double? _rate;

    /// <param name="run">The name of the run, which the names of the devices begin with.</param>
    /// <param name="server">The server.</param>
    /// <param name="devices">The number of devices.</param>
    /// <param name="perRequest">The readings in each request.</param>
    /// <param name="rate">The requests a second of all devices; <see langword="null"/> for as many as the server answers.</param>
    public ReportingLoad(string run, IPEndPoint server, int devices, int perRequest, double? rate)
    {
        _rate = rate;
        _devices = [.. Enumerable.Range(0, devices).Select(index => new ReportingDevice($"{run}-{index}", server, perRequest))];
        for (var index = 0; index < devices; index++) { _epoll.Add(_devices[index].Socket, index); }
    }

    public IReadOnlyList<ReportingDevice> Devices => _devices;

    public LatencyHistogram Latencies { get; private set; } = new();

    /// <summary>The acknowledged requests, those that were sent again, and the responses with another code than 2.04.</summary>
    public long Good { get; private set; }

    public long Repeated { get; private set; }

    public Dictionary<string, long> Refused { get; } = [];

    /// <summary>Starts to count anew.</summary>
    public void Reset() => (Latencies, Good, Repeated) = (new(), 0, 0);

    /// <summary>Reports for a time. Then waits for the answers that are missing, for at most as long as given.</summary>
    public void Run(TimeSpan time, TimeSpan drain, CancellationToken cancellationToken = default)
    {
        var start = Clock.Now;
        var end = start + Clock.ToNanoseconds(time);
        var (sent, next, swept) = (0L, 0, start);
        for (var now = start; now < end && !cancellationToken.IsCancellationRequested; now = Clock.Now)
        {
            var allowed = _rate is { } rate ? (long)((now - start) * rate / Clock.Second) - sent : long.MaxValue;
            for (var tries = 0; tries < _devices.Length && allowed > 0; tries++, next = (next + 1) % _devices.Length)
            {
                if (_devices[next].Since != 0) { continue; }
                _devices[next].Report(now, Patience);
                (sent, allowed) = (sent + 1, allowed - 1);
            }
            swept = Step(now, swept, isReporting: _rate is null);
        }
        for (var stop = Clock.Now + Clock.ToNanoseconds(drain); Clock.Now < stop && _devices.Any(static device => device.Since != 0);)
        {
            swept = Step(Clock.Now, swept, isReporting: false);
        }
    }

    public void Dispose()
    {
        foreach (var device in _devices) { device.Dispose(); }
        _epoll.Dispose();
    }

    private long Step(long now, long swept, bool isReporting)
    {
        var count = _epoll.Wait(Turn);
        now = Clock.Now;
        for (var index = 0; index < count; index++) { Read(_devices[_epoll.NumberAt(index)], now, isReporting); }
        if (now - swept < SweepEach) { return swept; }
        foreach (var device in _devices)
        {
            if (device.Since == 0 || device.Due > now) { continue; }
            device.Repeat(now, Patience);
            Repeated++;
        }
        return now;
    }

    private void Read(ReportingDevice device, long now, bool isReporting)
    {
        var length = device.Socket.Receive(_buffer, SocketFlags.None, out var error);
        if (error != SocketError.Success) { return; }
        var since = device.Since;
        var code = device.Take(_buffer.AsSpan(0, length));
        if (code == 0) { return; }
        if (code == Changed)
        {
            Latencies.Record(now - since);
            Good++;
            if (isReporting) { device.Report(now, Patience); }
            return;
        }
        var name = $"{code >> 5}.{code & 31:00}";
        Refused[name] = Refused.GetValueOrDefault(name) + 1;
        device.Delay(now + Pause);
    }
}
