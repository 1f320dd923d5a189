using System.Diagnostics;
using CoAP.Tool.Connecting;
using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Benchmarking;

/// <summary>Load through clients of the library, for every transport. Each client has its own socket, connection or session.</summary>
internal sealed class ClientGenerator : IGenerator
{
    private readonly BenchSettings _settings;
    private readonly CoapRequest _request;
    private readonly Connection[] _clients;
    private readonly Worker[] _workers;
    private readonly RetransmissionCounter _retransmissions = new();
    private OpenLoopSchedule? _schedule;
    private MeasuredTime? _time;
    private long _retransmittedBefore;
    private volatile bool _isStopped;
    private volatile bool _isMeasuring;
    private Task _running = Task.CompletedTask;

    /// <param name="settings">The load.</param>
    /// <param name="open">Opens a client.</param>
    public ClientGenerator(BenchSettings settings, Func<Connection> open)
    {
        (_settings, _request) = (settings, settings.ToRequest());
        _clients = [.. Enumerable.Range(0, settings.Clients).Select(_ => open())];
        _workers = [.. Enumerable.Range(0, settings.Slots).Select(number => new Worker(_clients[number % settings.Clients].Client))];
    }

    public string Name => "clients of the library";

    public long Answers => _isMeasuring ? _workers.Sum(static worker => worker.Tally.Good) : 0;

    /// <summary>Adapts the settings of a client: limits that protect networks and servers would be measured instead of the server.</summary>
    public static CoapClientSettings Adapt(CoapClientSettings settings, BenchSettings load) => settings with
    {
        Transmission = settings.Transmission with { NStart = load.Concurrency },
        AllowsMessageIdReuse = true,
        MaxRetryAfter = TimeSpan.Zero,
        Deduplication = new DeduplicationSettings { Capacity = 4096, AnswerBufferSize = 256 << 10 },
        Timeout = load.ResponseTimeout,
    };

    public void Start()
    {
        _schedule = _settings.Rate is { } rate ? new OpenLoopSchedule(Stopwatch.GetTimestamp(), rate) : null;
        _running = Task.WhenAll(_workers.Select(worker => Task.Run(() => RunAsync(worker))));
    }

    public void Measure()
    {
        _retransmittedBefore = _retransmissions.Count;
        _isMeasuring = true;
        _time = new MeasuredTime();
    }

    public async Task<BenchResult> StopAsync()
    {
        var tally = new Tally();
        _isStopped = true;
        var (elapsed, processor) = _time?.End() ?? default;
        tally.Retransmitted = _retransmissions.Count - _retransmittedBefore;
        await _running.ConfigureAwait(false);
        foreach (var worker in _workers) { tally.Add(worker.Tally); }
        return new BenchResult(tally, elapsed, processor);
    }

    public async ValueTask DisposeAsync()
    {
        _retransmissions.Dispose();
        foreach (var client in _clients) { await client.DisposeAsync().ConfigureAwait(false); }
    }

    private async Task RunAsync(Worker worker)
    {
        while (!_isStopped)
        {
            var since = _schedule is null ? Stopwatch.GetTimestamp() : await WaitAsync(_schedule.Take()).ConfigureAwait(false);
            if (_isStopped) { return; }
            await SendAsync(worker, since).ConfigureAwait(false);
        }
    }

    private async Task SendAsync(Worker worker, long since)
    {
        try
        {
            var response = await worker.Client.SendAsync(_request).ConfigureAwait(false);
            if (IsCounted) { worker.Tally.Answered(response.Code.IsSuccess, response.Code.Value, (long)(Stopwatch.GetElapsedTime(since).Ticks * TimeSpan.NanosecondsPerTick)); }
        }
        catch (CoapException exception)
        {
            if (!IsCounted) { return; }
            switch (exception)
            {
                case CoapTimeoutException: worker.Tally.Lost++; break;
                case CoapResetException: worker.Tally.Resets++; break;
                default: worker.Tally.Refusals++; break;
            }
        }
    }

    private bool IsCounted => _isMeasuring && !_isStopped;

    // A timer may be a millisecond late, which is not the fault of the server. So the latency counts from the end of the wait.
    private async Task<long> WaitAsync(long due)
    {
        var wait = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due);
        if (wait <= TimeSpan.Zero) { return due; }
        while (!_isStopped && wait > TimeSpan.Zero)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Clamp(Math.Ceiling(wait.TotalMilliseconds), 1, 100))).ConfigureAwait(false);
            wait = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due);
        }
        return Stopwatch.GetTimestamp();
    }

    private sealed record Worker(CoapClient Client)
    {
        public Tally Tally { get; } = new();
    }
}
