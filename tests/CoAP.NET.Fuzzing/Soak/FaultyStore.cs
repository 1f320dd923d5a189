namespace CoAP.Fuzzing.Soak;

/// <summary>Keeps observations in memory, on a disk that is full at times.</summary>
internal sealed class FaultyStore : IObserverStore
{
    private readonly InMemoryObserverStore _inner = new();

    /// <summary>Whether there is no space left.</summary>
    public bool IsFull { get; set; }

    public IReadOnlyList<StoredObserver> List() => _inner.List();

    public void Save(StoredObserver observation)
    {
        ThrowIfFull();
        _inner.Save(observation);
    }

    public void Remove(PeerIdentity peer, PeerIdentity local, Token token) => _inner.Remove(peer, local, token);

    public void Flush() => ThrowIfFull();

    private void ThrowIfFull()
    {
        if (IsFull) { throw new IOException("No space left on device"); }
    }
}
