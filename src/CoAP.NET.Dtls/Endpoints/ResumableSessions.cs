using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace CoAP.Dtls;

/// <summary>The sessions that a client can resume, by the identity of the server and of the client's key. Safe for concurrent use.</summary>
/// <remarks>A session is removed when it is resumed. If the resumption fails, the next handshake is a full one.</remarks>
internal sealed class ResumableSessions : IDisposable
{
    private const int Most = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<(PeerIdentity Server, string Key), byte[]> _sessions = new(SeededComparer<(PeerIdentity, string)>.Default);
    private bool _isDisposed;

    /// <summary>Keeps a session, as OpenSSL writes it.</summary>
    public void Add(in PeerIdentity server, byte[]? keyIdentity, byte[] session)
    {
        lock (_gate)
        {
            var key = (server, TextOf(keyIdentity));
            if (_isDisposed)
            {
                CryptographicOperations.ZeroMemory(session);
                return;
            }
            if (!_sessions.ContainsKey(key) && _sessions.Count >= Most) { Erase(_sessions.Keys.First()); }
            Erase(key);
            _sessions[key] = session;
        }
    }

    /// <summary>Overwrites all sessions, because they contain secrets.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (var session in _sessions.Values) { CryptographicOperations.ZeroMemory(session); }
            _sessions.Clear();
        }
    }

    /// <summary>Takes the session with a server. Overwrite it after use.</summary>
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
                if (key.Server == server) { Erase(key); }
            }
        }
    }

    private void Erase((PeerIdentity, string) key)
    {
        if (_sessions.Remove(key, out var session)) { CryptographicOperations.ZeroMemory(session); }
    }

    private static string TextOf(byte[]? identity) => identity is null ? "" : Encoding.UTF8.GetString(identity);
}
