namespace CoAP;

/// <summary>Stores the observations of a client across a restart: the request and the token that the server knows.</summary>
/// <remarks>Implementations must be safe for concurrent use. Methods are called by the threads that read observations, never by a lane.</remarks>
public interface ISubscriptionStore
{
    /// <summary>Stores a subscription. Replaces the one with the same token.</summary>
    /// <exception cref="InvalidOperationException">The store is full.</exception>
    void Save(StoredSubscription subscription);

    /// <summary>Removes the subscription with a token. Does nothing if there is none.</summary>
    void Remove(Token token);

    /// <summary>Writes changes that a store has buffered. Called at the end of a client. Does nothing by default.</summary>
    void Flush()
    {
    }

    /// <summary>Returns all stored subscriptions.</summary>
    IReadOnlyList<StoredSubscription> List();
}
