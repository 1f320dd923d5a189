using System.Collections.Concurrent;

namespace CoAP;

/// <summary>Keeps subscriptions for as long as the process runs: over a new client, not over a restart. Safe for concurrent use.</summary>
/// <param name="capacity">The most subscriptions that are kept; 1,000 by default.</param>
public sealed class InMemorySubscriptionStore(int capacity = 1000) : ISubscriptionStore
{
    private readonly ConcurrentDictionary<Token, StoredSubscription> _subscriptions = new();

    /// <inheritdoc/>
    public void Save(StoredSubscription subscription)
    {
        ArgumentNullException.ThrowIfNull(subscription);
        if (_subscriptions.Count >= capacity && !_subscriptions.ContainsKey(subscription.Token))
        {
            throw new InvalidOperationException($"The store is full: it has {capacity} subscriptions.");
        }
        _subscriptions[subscription.Token] = subscription;
    }

    /// <inheritdoc/>
    public void Remove(Token token) => _subscriptions.TryRemove(token, out _);

    /// <inheritdoc/>
    public IReadOnlyList<StoredSubscription> List() => [.. _subscriptions.Values];
}
