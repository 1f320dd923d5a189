using System.Threading.Tasks.Dataflow;

namespace Backend;

/// <summary>Collects reports into batches and writes one batch after the other. A report completes after the commit.</summary>
internal sealed partial class ReadingPipeline : IHostedService, IAsyncDisposable
{
    private readonly IReadingStore _store;
    private readonly BackendSettings _settings;
    private readonly ILogger _logger;
    private readonly BatchBlock<Report> _batches;
    private readonly ActionBlock<Report[]> _writer;
    private readonly Timer _timer;
    private readonly CancellationTokenSource _end = new();
    private Task _probe = Task.CompletedTask;
    private int _waiting;
    private int _isTimed;
    private volatile bool _isDown = true;
    private bool _isDisposed;

    public ReadingPipeline(IReadingStore store, BackendSettings settings, ILogger<ReadingPipeline> logger)
    {
        (_store, _settings, _logger) = (store, settings, logger);
        // It has no capacity, because a BatchBlock with one also declines messages while it forms a batch. The reports are counted instead.
        _batches = new(settings.BatchSize);
        _writer = new(WriteAsync, new ExecutionDataflowBlockOptions { BoundedCapacity = 1 });
        _batches.LinkTo(_writer, new DataflowLinkOptions { PropagateCompletion = true });
        _timer = new(_ => Flush());
    }

    /// <summary>Whether the store cannot be reached.</summary>
    public bool IsDown => _isDown;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _probe = ProbeAsync();
        return Task.CompletedTask;
    }

    /// <summary>Stores a report. While the store is down, or if too many reports wait, the answer comes at once.</summary>
    public Task<ReportFate> StoreAsync(Report report)
    {
        if (_isDown || !TryAdd(report)) { return Task.FromResult(ReportFate.Unavailable); }
        if (Interlocked.Exchange(ref _isTimed, 1) == 0) { _timer.Change(_settings.BatchDelay, Timeout.InfiniteTimeSpan); }
        return report.Task;
    }

    /// <summary>Writes what waits. The host has stopped the CoAP server before, so nothing is added any more.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _batches.Complete();
        await _writer.Completion.WaitAsync(cancellationToken);
    }

    // Services dispose of it twice: as itself, and as a hosted service.
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        await _end.CancelAsync();
        await _probe;
        await _timer.DisposeAsync();
        _end.Dispose();
    }

    private bool TryAdd(Report report)
    {
        if (Interlocked.Increment(ref _waiting) <= _settings.MaxWaiting && _batches.Post(report)) { return true; }
        Interlocked.Decrement(ref _waiting);
        return false;
    }

    private void Flush()
    {
        Volatile.Write(ref _isTimed, 0);
        _batches.TriggerBatch();
    }

    private async Task WriteAsync(Report[] reports)
    {
        try { await WriteAsync(reports.AsMemory()); }
        catch (Exception exception)     // whatever it is, the devices have to send their readings again
        {
            TakeDown(exception);
            Complete(reports, ReportFate.Unavailable);
        }
        finally { Interlocked.Add(ref _waiting, -reports.Length); }
    }

    // If the store rejects a batch, halves are tried until the readings that it rejects are alone.
    private async Task WriteAsync(ReadOnlyMemory<Report> reports)
    {
        if (_isDown)
        {
            Complete(reports, ReportFate.Unavailable);
            return;
        }
        try
        {
            await _store.WriteAsync(reports, _end.Token);
            Complete(reports, ReportFate.Stored);
        }
        catch (ReadingRejectedException) when (reports.Length > 1)
        {
            await WriteAsync(reports[..(reports.Length / 2)]);
            await WriteAsync(reports[(reports.Length / 2)..]);
        }
        catch (ReadingRejectedException exception)
        {
            var device = reports.Span[0].Device;
            LogRejected(device, exception.Message);
            Complete(reports, ReportFate.Rejected);
        }
    }

    private static void Complete(ReadOnlyMemory<Report> reports, ReportFate fate)
    {
        foreach (var report in reports.Span) { report.TrySetResult(fate); }
    }

    private void TakeDown(Exception exception)
    {
        LogDown(exception.Message);
        _isDown = true;
        _probe = ProbeAsync();
    }

    private async Task ProbeAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                await _store.OpenAsync(_end.Token);
                _isDown = false;
                LogUp();
                return;
            }
            catch (Exception exception) { LogStillDown(exception.Message); }
            await Task.Delay(_settings.RetryAfter, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    [LoggerMessage(1, LogLevel.Error, "The store failed: {Reason} Requests get 5.03 until it works again.")]
    private partial void LogDown(string reason);

    [LoggerMessage(2, LogLevel.Warning, "The store cannot be reached: {Reason}")]
    private partial void LogStillDown(string reason);

    [LoggerMessage(3, LogLevel.Information, "The store is ready.")]
    private partial void LogUp();

    [LoggerMessage(4, LogLevel.Error, "The store rejects a reading of {Device}: {Reason}")]
    private partial void LogRejected(string device, string reason);
}
