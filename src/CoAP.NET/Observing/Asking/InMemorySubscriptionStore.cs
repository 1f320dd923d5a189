using CoAP.Observing;

namespace CoAP;

/// <summary>Stores subscriptions in memory: they survive the end of a client, but not of the process.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="capacity">The most subscriptions that the store keeps. Default: 1,000.</param>
/// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
public sealed class InMemorySubscriptionStore(int capacity = 1000) : ISubscriptionStore
{
    private readonly BoundedStore<Token, StoredSubscription> _subscriptions =
        new(capacity, "subscriptions", static subscription => subscription.Token);

    /// <inheritdoc/>
    public void Save(StoredSubscription subscription) => _subscriptions.Save(subscription);

    /// <inheritdoc/>
    public void Remove(Token token) => _subscriptions.Remove(token);

    /// <inheritdoc/>
    public IReadOnlyList<StoredSubscription> List() => _subscriptions.List();
}
