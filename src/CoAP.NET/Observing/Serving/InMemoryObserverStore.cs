namespace CoAP;

/// <summary>Stores observations in memory, for tests and for servers that restart within one process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class InMemoryObserverStore : IObserverStore
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(PeerIdentity Peer, int LocalPort, Token Token), StoredObserver> _observations = [];
    private readonly int _capacity;

    /// <summary>Creates an empty store.</summary>
    /// <param name="capacity">The most observations that the store keeps. Further ones are not stored. Default: 100,000.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public InMemoryObserverStore(int capacity = 100_000)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        _capacity = capacity;
    }

    /// <inheritdoc/>
    public IReadOnlyList<StoredObserver> List()
    {
        lock (_gate) { return [.. _observations.Values]; }
    }

    /// <inheritdoc/>
    public void Save(StoredObserver observation)
    {
        ArgumentNullException.ThrowIfNull(observation);
        var key = (observation.Peer, observation.Local.Port, observation.Token);
        lock (_gate)
        {
            if (_observations.Count < _capacity || _observations.ContainsKey(key)) { _observations[key] = observation; }
        }
    }

    /// <inheritdoc/>
    public void Remove(PeerIdentity peer, PeerIdentity local, Token token)
    {
        lock (_gate) { _observations.Remove((peer, local.Port, token)); }
    }

    /// <inheritdoc/>
    public void Flush()
    {
    }
}
