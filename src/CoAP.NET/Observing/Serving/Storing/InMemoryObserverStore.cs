using CoAP.Observing;

namespace CoAP;

/// <summary>Stores observations in memory, for tests and for servers that restart within one process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="capacity">The most observations that the store keeps. Further ones are not stored. Default: 100,000.</param>
/// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
public sealed class InMemoryObserverStore(int capacity = 100_000) : IObserverStore
{
    private readonly BoundedStore<ObserverKey, StoredObserver> _observations =
        new(capacity, "observations", static observation => observation.Key);

    /// <inheritdoc/>
    public IReadOnlyList<StoredObserver> List() => _observations.List();

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The store is full.</exception>
    public void Save(StoredObserver observation) => _observations.Save(observation);

    /// <inheritdoc/>
    public void Remove(PeerIdentity peer, PeerIdentity local, Token token) => _observations.Remove(new(peer, local, token));

    /// <inheritdoc/>
    public void Flush() { }
}
