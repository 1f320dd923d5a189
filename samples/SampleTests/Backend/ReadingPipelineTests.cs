using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Backend.Tests;

/// <summary>Reports on their way to a store that fails.</summary>
public sealed class ReadingPipelineTests : IAsyncLifetime
{
    private readonly FlakyStore _store = new();
    private readonly BackendSettings _settings = new() { BatchSize = 4, MaxWaiting = 8, BatchDelay = TimeSpan.FromMilliseconds(1), RetryAfter = TimeSpan.FromMilliseconds(1) };
    private ReadingPipeline _pipeline = null!;

    public Task InitializeAsync()
    {
        _pipeline = new ReadingPipeline(_store, _settings, NullLogger<ReadingPipeline>.Instance);
        return _pipeline.StartAsync(CancellationToken.None);
    }

    public async Task DisposeAsync() => await _pipeline.DisposeAsync();

    [Fact]
    public async Task Reports_that_wait_at_the_same_time_are_written_together_in_order()
    {
        _settings.BatchDelay = TimeSpan.FromHours(1);

        var fates = await Task.WhenAll(Store(1, 2, 3, 4));

        fates.Should().AllBeEquivalentTo(ReportFate.Stored);
        _store.Batches.Should().ContainSingle().Which.Should().Equal(1, 2, 3, 4);
    }

    [Fact]
    public async Task A_single_report_is_written_after_the_delay()
    {
        (await Store(1)[0]).Should().Be(ReportFate.Stored);

        _store.Batches.Should().ContainSingle().Which.Should().Equal(1);
    }

    [Fact]
    public async Task While_the_store_is_down_reports_fail_at_once_and_later_ones_are_stored()
    {
        _store.IsDown = true;

        (await Store(1)[0]).Should().Be(ReportFate.Unavailable);
        var later = Store(2)[0];

        later.IsCompleted.Should().BeTrue("a report must not wait for a store that is known to be down");
        _store.Attempts.Should().Be(1);
        _store.IsDown = false;
        while (_pipeline.IsDown) { await Task.Yield(); }
        (await Store(3)[0]).Should().Be(ReportFate.Stored);
    }

    [Fact]
    public async Task A_full_queue_refuses_a_report_at_once_and_stores_those_that_it_holds()
    {
        var gate = new TaskCompletionSource();
        _store.Gate = gate.Task;

        var reports = Store([.. Enumerable.Range(1, 40).Select(static number => (long)number)]);
        var refused = reports.Where(static report => report.IsCompleted).ToArray();
        gate.SetResult();

        refused.Should().NotBeEmpty();
        (await Task.WhenAll(refused)).Should().AllBeEquivalentTo(ReportFate.Unavailable);
        (await Task.WhenAll(reports.Except(refused))).Should().AllBeEquivalentTo(ReportFate.Stored).And.HaveCount(_settings.MaxWaiting);
    }

    [Fact]
    public async Task A_queue_with_room_refuses_no_report_while_batches_are_formed()
    {
        _settings.MaxWaiting = 1000;

        var fates = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => Task.Run(async () =>
        {
            var all = new List<ReportFate>();
            for (var round = 0; round < 200; round++) { all.AddRange(await Task.WhenAll(Store(1, 2, 3, 4, 5))); }
            return all;
        })));

        fates.SelectMany(static one => one).Should().AllBeEquivalentTo(ReportFate.Stored);
    }

    [Fact]
    public async Task A_pipeline_may_be_disposed_of_twice()
    {
        await _pipeline.DisposeAsync();

        var again = async () => await _pipeline.DisposeAsync();

        await again.Should().NotThrowAsync();
    }

    [Fact]
    public async Task A_reading_that_the_store_rejects_does_not_take_its_batch_with_it()
    {
        _store.Rejected = 3;

        var fates = await Task.WhenAll(Store(1, 2, 3, 4));

        fates.Should().Equal(ReportFate.Stored, ReportFate.Stored, ReportFate.Rejected, ReportFate.Stored);
        _store.Batches.SelectMany(static batch => batch).Should().Equal(1, 2, 4);
        _pipeline.IsDown.Should().BeFalse();
    }

    [Fact]
    public async Task A_pipeline_that_stops_writes_what_waits()
    {
        var reports = Store(1, 2);

        await _pipeline.StopAsync(CancellationToken.None);

        (await Task.WhenAll(reports)).Should().AllBeEquivalentTo(ReportFate.Stored);
        (await Store(3)[0]).Should().Be(ReportFate.Unavailable);
    }

    private Task<ReportFate>[] Store(params long[] sequences) =>
        [.. sequences.Select(sequence => _pipeline.StoreAsync(new Report("pump", [new Reading(sequence, DateTimeOffset.UnixEpoch, 1)])))];
}
