namespace CoAP;

/// <summary>Stores the observers of a server across a restart. Observers on connections are not stored: they end with their connection.</summary>
/// <remarks>
/// Methods are called by one thread at a time. They may block, because no thread that serves requests calls them. The server saves an observation
/// when the address of the client is verified. It logs exceptions and continues. While a call blocks, only the last change of each observation waits, so
/// an observation that ends meanwhile may never be saved.
/// After <see cref="Flush"/>, further changes wait 20 times as long as the call took, at most 30 s.
/// A crash loses the changes that wait. The address of a link-local client contains the number of a network interface, which can be another
/// one after a restart. Store the name of the interface instead, as <see cref="FileObserverStore"/> does. A server that stops does not
/// rest: it saves what waits, and waits at most 5 s for the store.
/// </remarks>
public interface IObserverStore
{
    /// <summary>Returns all stored observations. Called once, when the server starts.</summary>
    IReadOnlyList<StoredObserver> List();

    /// <summary>Stores an observation. Replaces the one with the same peer, local port and token.</summary>
    void Save(StoredObserver observation);

    /// <summary>Removes an observation. Does nothing if there is none.</summary>
    void Remove(PeerIdentity peer, PeerIdentity local, Token token);

    /// <summary>Called after the last of several changes. Write buffered changes now.</summary>
    void Flush();
}
