namespace CoAP;

/// <summary>Keeps observations over a restart of the client: what to ask for, and the token that the server knows.</summary>
/// <remarks>Called by the threads that read observations, never by a lane. Implementations are safe for concurrent use.</remarks>
public interface ISubscriptionStore
{
    /// <summary>Keeps a subscription, in the place of one with the same token.</summary>
    /// <exception cref="InvalidOperationException">The store is full.</exception>
    void Save(StoredSubscription subscription);

    /// <summary>Forgets the subscription with this token; nothing where there is none.</summary>
    void Remove(Token token);

    /// <summary>All that is kept.</summary>
    IReadOnlyList<StoredSubscription> List();
}
