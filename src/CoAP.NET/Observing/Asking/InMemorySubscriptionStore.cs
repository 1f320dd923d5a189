namespace CoAP;

/// <summary>Stores subscriptions in memory: they survive the end of a client, but not of the process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class InMemorySubscriptionStore : ISubscriptionStore
{
    private readonly Lock _gate = new();
    private readonly Dictionary<Token, StoredSubscription> _subscriptions = [];
    private readonly int _capacity;

    /// <summary>Creates an empty store.</summary>
    /// <param name="capacity">The most subscriptions that the store keeps. Default: 1,000.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public InMemorySubscriptionStore(int capacity = 1000)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        _capacity = capacity;
    }

    /// <inheritdoc/>
    public void Save(StoredSubscription subscription)
    {
        ArgumentNullException.ThrowIfNull(subscription);
        lock (_gate)
        {
            if (_subscriptions.Count >= _capacity && !_subscriptions.ContainsKey(subscription.Token))
            {
                throw new InvalidOperationException($"The store is full: it has {_capacity} subscriptions.");
            }
            _subscriptions[subscription.Token] = subscription;
        }
    }

    /// <inheritdoc/>
    public void Remove(Token token) => TryRemove(token);

    /// <inheritdoc/>
    public IReadOnlyList<StoredSubscription> List()
    {
        lock (_gate) { return [.. _subscriptions.Values]; }
    }

    /// <summary>Removes the subscription with a token. Returns <see langword="false"/> if there is none.</summary>
    internal bool TryRemove(Token token)
    {
        lock (_gate) { return _subscriptions.Remove(token); }
    }
}
