using System.Collections.Concurrent;

namespace CoAP.Dtls;

/// <summary>The last session of each client whose next session continues it, by its credentials. Safe for concurrent use.</summary>
/// <remarks>It has no more entries than there are sessions.</remarks>
internal sealed class LatestSessions
{
    private readonly ConcurrentDictionary<string, ChannelKey> _sessions = new(StringComparer.Ordinal);

    /// <summary>Returns the identity of the last session; <see langword="null"/> if there is none.</summary>
    public ChannelKey? Find(PeerCredentials credentials) => _sessions.TryGetValue(NameOf(credentials), out var identity) ? identity : null;

    public void Set(PeerCredentials credentials, in ChannelKey identity) => _sessions[NameOf(credentials)] = identity;

    /// <summary>Called when a session has ended.</summary>
    public void Remove(PeerCredentials credentials, in ChannelKey identity) => _sessions.TryRemove(new(NameOf(credentials), identity));

    private static string NameOf(PeerCredentials credentials) => credentials switch
    {
        { Certificate: { } certificate } => $"certificate {certificate.Thumbprint}",
        { RawPublicKey: { } raw } => $"raw key {raw}",
        _ => $"key {credentials.PreSharedKeyIdentity}",
    };
}
