namespace Backend.Tests;

/// <summary>A store that tests take down, hold up, and let reject readings.</summary>
internal sealed class FlakyStore : IReadingStore
{
    public List<IReadOnlyList<long>> Batches { get; } = [];

    public bool IsDown { get; set; }

    /// <summary>The sequence that the store rejects.</summary>
    public long? Rejected { get; set; }

    /// <summary>What each write waits for.</summary>
    public Task Gate { get; set; } = Task.CompletedTask;

    public int Attempts { get; private set; }

    public Task OpenAsync(CancellationToken cancellationToken) => IsDown ? throw new IOException("The store is down.") : Task.CompletedTask;

    public async Task WriteAsync(ReadOnlyMemory<Report> reports, CancellationToken cancellationToken)
    {
        Attempts++;
        await Gate.WaitAsync(cancellationToken);
        if (IsDown) { throw new IOException("The store is down."); }
        var sequences = reports.ToArray().SelectMany(static report => report.Readings).Select(static reading => reading.Sequence).ToArray();
        if (sequences.Any(sequence => sequence == Rejected)) { throw new ReadingRejectedException("It is rejected.", new IOException()); }
        Batches.Add(sequences);
    }

    public Task<IReadOnlyList<Reading>> ReadNewestAsync(string device, int count, CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<IReadOnlyList<StoredReadings>> CountAsync(CancellationToken cancellationToken) => throw new NotSupportedException();
}
