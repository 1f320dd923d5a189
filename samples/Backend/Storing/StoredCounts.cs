namespace Backend;

/// <summary>What is stored of each controller, at most a second old. The query reads the whole table, so all callers share it.</summary>
internal sealed class StoredCounts(IReadingStore store, TimeProvider time, IHostApplicationLifetime lifetime)
{
    private static readonly TimeSpan MaxAge = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private Task<IReadOnlyList<StoredReadings>>? _query;
    private long _endedAt;

    /// <remarks>A failure counts as well, so that a store that is down is not asked more often.</remarks>
    public Task<IReadOnlyList<StoredReadings>> ReadAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_query is null || (_query.IsCompleted && time.GetElapsedTime(Volatile.Read(ref _endedAt)) >= MaxAge)) { _query = QueryAsync(); }
            return _query.WaitAsync(cancellationToken);
        }
    }

    // The query does not end with the caller that began it.
    private async Task<IReadOnlyList<StoredReadings>> QueryAsync()
    {
        try { return await store.CountAsync(lifetime.ApplicationStopping); }
        finally { Volatile.Write(ref _endedAt, time.GetTimestamp()); }
    }
}
