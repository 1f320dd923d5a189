using CoAP.Testing;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Backend.Tests;

/// <summary>The query for what is stored, which reads the whole table.</summary>
public sealed class StoredCountsTests
{
    private readonly ManualClock _clock = new();
    private readonly SlowStore _store = new();
    private readonly StoredCounts _cut;

    public StoredCountsTests() => _cut = new StoredCounts(_store, _clock, new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance));

    [Fact]
    public async Task Callers_at_the_same_time_share_one_query()
    {
        var calls = new[] { _cut.ReadAsync(CancellationToken.None), _cut.ReadAsync(CancellationToken.None) };
        _clock.Advance(TimeSpan.FromMinutes(1));
        var late = _cut.ReadAsync(CancellationToken.None);

        _store.Answer.SetResult([]);
        await Task.WhenAll([.. calls, late]);

        _store.Queries.Should().Be(1);
    }

    [Fact]
    public async Task A_result_is_used_for_a_second()
    {
        _store.Answer.SetResult([]);
        await _cut.ReadAsync(CancellationToken.None);
        _clock.Advance(TimeSpan.FromMilliseconds(999));
        await _cut.ReadAsync(CancellationToken.None);
        _store.Queries.Should().Be(1);
        _clock.Advance(TimeSpan.FromMilliseconds(1));

        await _cut.ReadAsync(CancellationToken.None);

        _store.Queries.Should().Be(2);
    }

    [Fact]
    public async Task A_caller_that_leaves_does_not_end_the_query_of_the_others()
    {
        using var leaving = new CancellationTokenSource();
        var (first, second) = (_cut.ReadAsync(leaving.Token), _cut.ReadAsync(CancellationToken.None));

        await leaving.CancelAsync();
        _store.Answer.SetResult([new StoredReadings("pump", 1, 1, 1)]);

        (await second).Should().ContainSingle();
        await first.Awaiting(static call => call).Should().ThrowAsync<OperationCanceledException>();
    }

    private sealed class SlowStore : IReadingStore
    {
        public TaskCompletionSource<IReadOnlyList<StoredReadings>> Answer { get; } = new();

        public int Queries { get; private set; }

        public Task OpenAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task WriteAsync(ReadOnlyMemory<Report> reports, CancellationToken cancellationToken) => Task.CompletedTask;

        public Task<IReadOnlyList<Reading>> ReadNewestAsync(string device, int count, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<IReadOnlyList<StoredReadings>> CountAsync(CancellationToken cancellationToken)
        {
            Queries++;
            return Answer.Task.WaitAsync(cancellationToken);
        }
    }
}
