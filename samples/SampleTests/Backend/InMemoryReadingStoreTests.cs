using Xunit;

namespace Backend.Tests;

/// <summary>The readings that the store in memory keeps.</summary>
public sealed class InMemoryReadingStoreTests
{
    private readonly InMemoryReadingStore _store = new(new BackendSettings { History = 4 });

    [Fact]
    public async Task A_reading_that_comes_again_is_stored_once_and_stays_as_it_was()
    {
        await WriteAsync(1, 2, 1);
        await _store.WriteAsync(new[] { new Report("pump", [At(2) with { Watts = 99 }]) }, CancellationToken.None);

        (await NewestAsync()).Should().Equal(At(1), At(2));
        (await _store.CountAsync(CancellationToken.None)).Should().Equal(new StoredReadings("pump", 2, 1, 2));
    }

    [Fact]
    public async Task Readings_out_of_order_are_returned_in_order()
    {
        await WriteAsync(3, 1, 2);

        (await NewestAsync()).Should().Equal(At(1), At(2), At(3));
    }

    [Fact]
    public async Task The_newest_readings_replace_the_oldest_ones()
    {
        await WriteAsync(1, 2, 3, 4, 5, 6, 1);

        (await NewestAsync()).Should().Equal(At(3), At(4), At(5), At(6));
        (await _store.CountAsync(CancellationToken.None)).Should().Equal(new StoredReadings("pump", 6, 1, 6));
    }

    [Fact]
    public async Task Controllers_do_not_share_sequences()
    {
        await WriteAsync(1);
        await _store.WriteAsync(new[] { new Report("fan", [At(1)]) }, CancellationToken.None);

        (await _store.CountAsync(CancellationToken.None)).Should().BeEquivalentTo([new StoredReadings("pump", 1, 1, 1), new StoredReadings("fan", 1, 1, 1)]);
    }

    private static Reading At(long sequence) => new(sequence, DateTimeOffset.UnixEpoch, sequence);

    private Task WriteAsync(params long[] sequences) =>
        _store.WriteAsync(sequences.Select(static sequence => new Report("pump", [At(sequence)])).ToArray(), CancellationToken.None);

    private Task<IReadOnlyList<Reading>> NewestAsync() => _store.ReadNewestAsync("pump", 10, CancellationToken.None);
}
