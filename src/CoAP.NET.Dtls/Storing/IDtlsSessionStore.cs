namespace CoAP;

/// <summary>Keeps the sessions of an endpoint across a restart, so that its peers need no new handshakes.</summary>
/// <remarks>
/// <para>The sessions contain keys. Encrypt what you write (<see cref="DtlsSessionState.Encrypt"/>).</para>
/// <para>Methods are called by one thread at a time. They may block, because no thread that serves requests calls them. The endpoint logs exceptions and
/// continues, except at the start (<see cref="TakeOver"/>). While a call blocks, only the last change of each session waits. An endpoint that stops waits at most 5 s for the store.</para>
/// <para>A store must never return an older state of a session than it has returned before. Otherwise, two records could use the same nonce, and an attacker
/// could decrypt and forge records. Do not restore a store from a backup.</para>
/// </remarks>
public interface IDtlsSessionStore
{
    /// <summary>
    /// Takes over all sessions: calls <see cref="DtlsSessionState.TakeOver"/> on each, stores the results durably, and then returns them. Called once, when the
    /// endpoint starts.
    /// </summary>
    /// <remarks>An exception ends the start of a server, and the first request of a client.</remarks>
    /// <remarks>Two processes that take over the same session must get different generations. A session without a further generation is removed.</remarks>
    IReadOnlyList<DtlsSessionState> TakeOver();

    /// <summary>Stores a session. Replaces the one with the same <see cref="DtlsSessionState.Id"/>, unless that one has a higher generation.</summary>
    /// <remarks>A process that was suspended may save a session that another process has taken over meanwhile. The later owner wins.</remarks>
    void Save(DtlsSessionState session);

    /// <summary>Removes a session. Does nothing if there is none.</summary>
    void Remove(string id);

    /// <summary>
    /// Removes a session that has ended, unless the stored one has a higher generation: then it belongs to a later owner. Called instead of
    /// <see cref="Remove(string)"/>. Default: calls that method, which is enough if no other process can take over the sessions while this one runs.
    /// </summary>
    /// <param name="id">The session.</param>
    /// <param name="generation">The generation of the owner that removes it.</param>
    void Remove(string id, int generation) => Remove(id);

    /// <summary>Called after the last of several changes. Write buffered changes now.</summary>
    void Flush();
}
