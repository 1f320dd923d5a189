namespace CoAP.Dtls;

/// <summary>The last session of each client for which <c>ContinuesPeer</c> returned true, by credentials. Safe for concurrent use.</summary>
/// <remarks>It has no more entries than there are sessions. Credentials without an identity have none.</remarks>
internal sealed class LatestSessions
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, ChannelKey> _sessions = new(StringComparer.Ordinal);

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
            var former = FindLocked(name);
            _sessions[name] = identity;
            return former;
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

    private ChannelKey? FindLocked(string? name) => name is not null && _sessions.TryGetValue(name, out var identity) ? identity : null;
}
