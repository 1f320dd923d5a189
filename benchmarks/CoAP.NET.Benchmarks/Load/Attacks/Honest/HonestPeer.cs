using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>A peer that runs an errand at an even rate and measures it.</summary>
internal sealed class HonestPeer(Errand errand, string server, double rate) : IAsyncDisposable
{
    private const int NStart = 256;
    private const int ErrandsAtOnce = 16;

    /// <summary>The time after which most errands count as lost.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly CoapClient _client = NewClient();
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private readonly List<Task> _open = [];
    private LatencyHistogram _latencies = new();
    private Task _running = Task.CompletedTask;
    private bool _isCounted;

    public long Lost { get; private set; }

    public long Served => _latencies.Count;

    /// <summary>Returns a client with the address of honest peers.</summary>
    public static CoapClient NewClient(DtlsClientSettings? dtls = null) => new(Limits.Client with
    {
        LocalEndPoint = AttackNetwork.Exists ? new IPEndPoint(AttackNetwork.Honest, 0) : null,
        Transmission = new TransmissionParameters { NStart = NStart },
        Dtls = dtls,
    });

    /// <summary>Runs the errand as often as possible, so that the server compiles the code behind it.</summary>
    public async Task WarmUpAsync(TimeSpan time)
    {
        var end = Clock.Now + (long)(time.TotalSeconds * Clock.Second);
        await Task.WhenAll(Enumerable.Range(0, ErrandsAtOnce).Select(async _ =>
        {
            while (Clock.Now < end) { await RunOnceAsync(isCounted: false); }
        }));
    }

    public void Start() => _running = Task.Factory.StartNew(Run, TaskCreationOptions.LongRunning);

    /// <summary>Counts errands that begin from now on.</summary>
    public void Count()
    {
        lock (_lock) { (_latencies, Lost, _isCounted) = (new(), 0, true); }
    }

    /// <summary>The time in which a share of the errands ended.</summary>
    public double Milliseconds(double share) => _latencies.Percentile(share) / (double)Clock.Millisecond;

    /// <summary>Ends with the last errand.</summary>
    public async Task StopAsync()
    {
        await _stop.CancelAsync();
        await _running;
        await Task.WhenAll(_open);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _stop.Dispose();
    }

    private void Run()
    {
        var step = (long)(Clock.Second / rate);
        for (var due = Clock.Now; !_stop.IsCancellationRequested; due = Math.Max(due + step, Clock.Now - Clock.Second))
        {
            if (due > Clock.Now) { Clock.SleepUntil(due); }
            _open.RemoveAll(static task => task.IsCompleted);
            _open.Add(RunOnceAsync(_isCounted));
        }
    }

    private async Task RunOnceAsync(bool isCounted)
    {
        using var patience = new CancellationTokenSource(errand.Patience);
        var (start, isServed) = (Clock.Now, false);
        try
        {
            isServed = await errand.RunAsync(_client, server, patience.Token);
        }
        catch (Exception failure) when (failure is CoapException or OperationCanceledException)
        {
            // Counts as lost.
        }
        lock (_lock)
        {
            if (!isCounted) { return; }
            if (isServed) { _latencies.Record(Clock.Now - start); }
            else { Lost++; }
        }
    }
}
