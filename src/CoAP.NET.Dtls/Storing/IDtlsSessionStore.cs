namespace CoAP;

/// <summary>Stores the sessions of an endpoint across a restart, so that its peers need no new handshakes. It contains keys: protect what it writes.</summary>
/// <remarks>
/// <para>Methods are called by one thread at a time. They may block, because no thread that serves requests calls them. The endpoint logs exceptions and
/// continues. While a call blocks, only the last change of each session waits. An endpoint that stops waits at most 5 s for the store.</para>
/// <para>A store must never return an earlier state than the last one that it has returned: two records with the same number would be protected with the same
/// nonce, and could then be decrypted and forged. So do not restore it from a backup.</para>
/// </remarks>
public interface IDtlsSessionStore
{
    /// <summary>
    /// Takes over all sessions: stores each as <see cref="DtlsSessionState.TakeOver"/> returns it, so that this reaches the disk before the method returns, and
    /// returns them. Called once, when the endpoint starts.
    /// </summary>
    /// <remarks>Two processes that take over the same session must get different generations. A session without a further generation is removed.</remarks>
    IReadOnlyList<DtlsSessionState> TakeOver();

    /// <summary>Stores a session. Replaces the one with the same <see cref="DtlsSessionState.Id"/>, unless that one has a higher generation.</summary>
    /// <remarks>A process that was suspended can save a session that another one has taken over. The later owner counts.</remarks>
    void Save(DtlsSessionState session);

    /// <summary>Removes a session. Does nothing if there is none.</summary>
    void Remove(string id);

    /// <summary>Called after the last of several changes. Write buffered changes now.</summary>
    void Flush();
}
