using System.Collections.Concurrent;

namespace Backend;

/// <summary>Keeps the newest readings of each controller in memory.</summary>
internal sealed class InMemoryReadingStore(BackendSettings settings) : IReadingStore
{
    private readonly ConcurrentDictionary<string, Ring> _rings = new(StringComparer.Ordinal);

    public Task OpenAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task WriteAsync(ReadOnlyMemory<Report> reports, CancellationToken cancellationToken)
    {
        foreach (var report in reports.Span)
        {
            var ring = _rings.GetOrAdd(report.Device, static (_, size) => new Ring(size), settings.History);
            foreach (var reading in report.Readings) { ring.Add(reading); }
        }
        return Task.CompletedTask;
    }

    public Task<IReadOnlyList<Reading>> ReadNewestAsync(string device, int count, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<Reading>>(_rings.TryGetValue(device, out var ring) ? ring.Newest(count) : []);

    public Task<IReadOnlyList<StoredReadings>> CountAsync(CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<StoredReadings>>([.. _rings.Select(static one => one.Value.Count(one.Key))]);

    public void Forget(string device) => _rings.TryRemove(device, out _);

    // The place of a reading follows from its sequence. So a reading that comes again finds itself, and replaces nothing.
    private sealed class Ring(int size)
    {
        private readonly Reading?[] _readings = new Reading?[size];
        private readonly Lock _gate = new();
        private long _count, _first = long.MaxValue, _last;

        public void Add(Reading reading)
        {
            lock (_gate)
            {
                ref var place = ref _readings[reading.Sequence % _readings.Length];
                if (place is { } other && other.Sequence >= reading.Sequence) { return; }     // stored already, or older than what is kept
                place = reading;
                (_count, _first, _last) = (_count + 1, Math.Min(_first, reading.Sequence), Math.Max(_last, reading.Sequence));
            }
        }

        public IReadOnlyList<Reading> Newest(int count)
        {
            lock (_gate) { return [.. _readings.OfType<Reading>().OrderBy(static reading => reading.Sequence).TakeLast(count)]; }
        }

        public StoredReadings Count(string device)
        {
            lock (_gate) { return new(device, _count, _first, _last); }
        }
    }
}
