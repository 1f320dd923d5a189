using System.Collections.Concurrent;

namespace CoAP;

/// <summary>Stores sessions in memory, for example for tests, or for an endpoint that is replaced within a process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class InMemoryDtlsSessionStore : IDtlsSessionStore
{
    private readonly ConcurrentDictionary<string, DtlsSessionState> _sessions = new(StringComparer.Ordinal);

    /// <summary>All sessions.</summary>
    public IReadOnlyCollection<DtlsSessionState> Sessions => [.. _sessions.Values];

    /// <inheritdoc/>
    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        var taken = new List<DtlsSessionState>();
        foreach (var (id, session) in _sessions)
        {
            if (session.TakeOver() is not { } next) { _sessions.TryRemove(id, out _); }
            else if (_sessions.TryUpdate(id, next, session)) { taken.Add(next); }
        }
        return taken;
    }

    /// <inheritdoc/>
    public void Save(DtlsSessionState session)
    {
        ArgumentNullException.ThrowIfNull(session);
        _sessions.AddOrUpdate(session.Id, session, (_, stored) => stored.Generation > session.Generation ? stored : session);
    }

    /// <inheritdoc/>
    public void Remove(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        _sessions.TryRemove(id, out _);
    }

    /// <inheritdoc/>
    public void Remove(string id, int generation)
    {
        ArgumentNullException.ThrowIfNull(id);
        while (_sessions.TryGetValue(id, out var stored) && stored.Generation <= generation && !_sessions.TryRemove(new(id, stored)))
        {
        }
    }

    /// <inheritdoc/>
    public void Flush()
    {
    }
}
