using System.Collections.Concurrent;

namespace CoAP;

/// <summary>Stores subscriptions in memory: they survive the end of a client, but not of the process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="capacity">The most subscriptions that the store keeps. Default: 1,000.</param>
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
