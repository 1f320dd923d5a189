namespace CoAP;

/// <summary>Keeps observations over a restart of the server. Observations over connections are not kept: they end with their connection.</summary>
/// <remarks>
/// Called by one thread at a time, and never by one that serves requests, so it may block. An observation is saved once its client has shown
/// that the address is its own. What it throws is logged, and the server goes on without.
/// </remarks>
public interface IObserverStore
{
    /// <summary>All observations. Asked for once, when the server starts.</summary>
    IReadOnlyList<StoredObserver> List();

    /// <summary>Keeps an observation, in the place of the one with the same peer, local port and token if there is one.</summary>
    void Save(StoredObserver observation);

    /// <summary>Forgets an observation; nothing happens if there is none.</summary>
    void Remove(PeerIdentity peer, PeerIdentity local, Token token);

    /// <summary>There is nothing more to save or remove for the moment.</summary>
    void Flush();
}
