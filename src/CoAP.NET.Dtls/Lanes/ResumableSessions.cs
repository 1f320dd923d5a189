using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace CoAP.Dtls;

/// <summary>The sessions that a client can resume, by the identity of the server and of the client's key. Safe for concurrent use.</summary>
/// <remarks>A session is taken out when it is resumed: if that fails, the next handshake is a full one.</remarks>
internal sealed class ResumableSessions
{
    private const int Most = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<(PeerIdentity Server, string Key), byte[]> _sessions = [];

    /// <summary>Keeps a session, as OpenSSL writes it.</summary>
    public void Add(in PeerIdentity server, byte[]? keyIdentity, byte[] session)
    {
        lock (_gate)
        {
            if (_sessions.Count >= Most) { _sessions.Remove(_sessions.Keys.First()); }
            _sessions[(server, TextOf(keyIdentity))] = session;
        }
    }

    /// <summary>Takes the session with a server.</summary>
    public bool TryTake(in PeerIdentity server, byte[]? keyIdentity, [NotNullWhen(true)] out byte[]? session)
    {
        lock (_gate) { return _sessions.Remove((server, TextOf(keyIdentity)), out session); }
    }

    /// <summary>Forgets all sessions with a server.</summary>
    public void Remove(in PeerIdentity server)
    {
        lock (_gate)
        {
            foreach (var key in _sessions.Keys)
            {
                if (key.Server == server) { _sessions.Remove(key); }
            }
        }
    }

    private static string TextOf(byte[]? identity) => identity is null ? "" : Encoding.UTF8.GetString(identity);
}
