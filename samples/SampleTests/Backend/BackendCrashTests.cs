using System.Collections.Concurrent;
using CoAP;
using Xunit;

namespace Backend.Tests;

/// <summary>Controllers that report while the backend and the database are killed.</summary>
public sealed class BackendCrashTests : IAsyncLifetime
{
    private const int Controllers = 8;
    private const int Step = 200;

    private readonly ConcurrentDictionary<string, List<long>> _acknowledged = new();
    private readonly CancellationTokenSource _end = new(TimeSpan.FromMinutes(10));
    private PostgreSqlCluster _cluster = null!;
    private BackendProgram _backend = null!;
    private int _count, _refused;

    public async Task InitializeAsync()
    {
        _cluster = await PostgreSqlCluster.StartAsync();
        _backend = await BackendProgram.StartAsync("Store=PostgreSql", $"ConnectionString={_cluster.ConnectionString}", "MaxWaiting=1000");
    }

    public async Task DisposeAsync()
    {
        if (_backend is not null) { await _backend.DisposeAsync(); }
        if (_cluster is not null) { await _cluster.DisposeAsync(); }
        _end.Dispose();
    }

    [SkippableFact]
    public async Task Every_acknowledged_reading_is_in_the_table_once_after_both_were_killed()
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
        var controllers = Task.WhenAll(Enumerable.Range(0, Controllers).Select(number => ReportAsync($"pump-{number}", stop.Token)));

        await UntilAsync(() => _count >= Step);
        await _backend.RestartAsync();
        await MoreAsync();
        await _cluster.KillAsync();
        await UntilAsync(() => _refused > 0);
        await _cluster.StartServerAsync();
        await MoreAsync();
        await stop.CancelAsync();
        await controllers;

        var stored = await _cluster.ReadAsync();
        foreach (var (controller, sequences) in _acknowledged)
        {
            stored[controller].Should().OnlyHaveUniqueItems().And.Contain(sequences);
            stored[controller].Except(sequences).Should().HaveCountLessThanOrEqualTo(1, "only the last reading may be stored and not acknowledged");
        }
    }

    // A controller sends a reading until it is acknowledged, then the next one.
    private async Task ReportAsync(string id, CancellationToken cancellationToken)
    {
        var acknowledged = _acknowledged[id] = [];
        await using var client = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats });
        for (var sequence = 0L; !cancellationToken.IsCancellationRequested;)
        {
            try
            {
                var response = await client.PutAsync($"{_backend.Coap}/controllers/{id}/readings", new Reading(sequence, DateTimeOffset.UtcNow, sequence), cancellationToken);
                if (response.Code == ResponseCode.ServiceUnavailable) { Interlocked.Increment(ref _refused); }
                if (!response.IsSuccess) { continue; }
                acknowledged.Add(sequence++);
                Interlocked.Increment(ref _count);
            }
            catch (CoapException) { }           // the backend is down
            catch (OperationCanceledException) { }
        }
    }

    private Task MoreAsync()
    {
        var until = Volatile.Read(ref _count) + Step;
        return UntilAsync(() => Volatile.Read(ref _count) >= until);
    }

    private async Task UntilAsync(Func<bool> condition)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (!condition()) { await timer.WaitForNextTickAsync(_end.Token); }
    }
}
