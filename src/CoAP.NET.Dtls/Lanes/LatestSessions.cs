namespace CoAP.Dtls;

/// <summary>The last session of each client for which <c>ContinuesPeer</c> returned true, by credentials. Safe for concurrent use.</summary>
/// <remarks>It has no more entries than there are sessions. Credentials without an identity have none.</remarks>
internal sealed class LatestSessions
{
    private static readonly TimeSpan BetweenMoves = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Entry> _sessions = new(StringComparer.Ordinal);

    /// <summary>Returns the identity of the last session; <see langword="null"/> if there is none.</summary>
    public ChannelKey? Find(PeerCredentials credentials)
    {
        lock (_gate) { return FindLocked(credentials.Identity); }
    }

    /// <summary>Sets the last session, and returns the one before it in the same step. Each session is returned once, even if several begin at the same time.</summary>
    public ChannelKey? Exchange(PeerCredentials credentials, in ChannelKey identity)
    {
        if (credentials.Identity is not { } name) { return null; }
        lock (_gate)
        {
            var isKnown = _sessions.TryGetValue(name, out var former);
            _sessions[name] = former with { Session = identity };
            return isKnown ? former.Session : null;
        }
    }

    /// <summary>
    /// Returns the time after which the observations of the session before the last one may move. They move at most once per second, because a client with many
    /// observations would otherwise keep the lanes busy by beginning one session after another.
    /// </summary>
    /// <param name="credentials">The credentials of the client.</param>
    /// <param name="time">The clock.</param>
    public TimeSpan TimeToMove(PeerCredentials credentials, TimeProvider time)
    {
        lock (_gate)
        {
            if (credentials.Identity is not { } name || !_sessions.TryGetValue(name, out var entry)) { return TimeSpan.Zero; }
            var now = time.GetElapsedTime(0);
            var at = entry.MovesAt is not { } last ? now
                : last > now ? last                 // together with the move that waits
                : now - last < BetweenMoves ? last + BetweenMoves
                : now;
            _sessions[name] = entry with { MovesAt = at };
            return at - now;
        }
    }

    /// <summary>Called when a session has ended.</summary>
    public void Remove(PeerCredentials credentials, in ChannelKey identity)
    {
        lock (_gate)
        {
            if (FindLocked(credentials.Identity) == identity) { _sessions.Remove(credentials.Identity!); }
        }
    }

    private ChannelKey? FindLocked(string? name) => name is not null && _sessions.TryGetValue(name, out var entry) ? entry.Session : null;

    private readonly record struct Entry(ChannelKey Session, TimeSpan? MovesAt);
}
