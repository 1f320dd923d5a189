using System.Security.Cryptography;
using CoAP.Dtls;

namespace CoAP;

/// <summary>Stores sessions in an encrypted file. Changes are appended, so each costs little, and the file is rewritten when a third of it is outdated.</summary>
/// <remarks>
/// Safe for concurrent use within one process. Only the owner of the file can read it. When another process takes the file over, this one can write no more: its
/// next change fails with an <see cref="IOException"/>, and it goes on without the store.
/// </remarks>
public sealed class FileDtlsSessionStore : IDtlsSessionStore, IDisposable
{
    private readonly Lock _gate = new();
    private readonly SessionFile _file;
    private readonly SecretBox _box;
    private readonly int _capacity;
    private readonly Dictionary<string, byte[]> _sessions = new(StringComparer.Ordinal);     // encrypted
    private readonly List<byte[]> _changes = [];

    /// <summary>Creates a store. The file is opened when the endpoint starts.</summary>
    /// <param name="path">The file.</param>
    /// <param name="secret">The secret that encrypts the file, at least 32 random bytes. Keep it where the file is not.</param>
    /// <param name="capacity">The most sessions that the store keeps. Further ones are not stored. Default: 100,000, in a file of about 60 MB at most.</param>
    /// <exception cref="ArgumentException">The secret is shorter than 32 bytes, or the path is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public FileDtlsSessionStore(string path, ReadOnlySpan<byte> secret, int capacity = 100_000)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_file, _box, _capacity) = (new SessionFile(path), new SecretBox(secret), capacity);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be read or written, or is not the file of such a store.</exception>
    /// <exception cref="CryptographicException">The file was written with another secret.</exception>
    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        lock (_gate)
        {
            var taken = new List<DtlsSessionState>();
            _file.TakeOver(entries =>
            {
                _sessions.Clear();
                foreach (var session in Read(entries).Values)
                {
                    if (session.TakeOver() is not { } next) { continue; }
                    taken.Add(next);
                    _sessions[next.Id] = _box.Seal(next.Content.ToBytes());
                }
                return _sessions.Values.Select(static session => SessionEntry.OfSession(session));
            });
            return taken;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The store has as many sessions as its capacity allows.</exception>
    public void Save(DtlsSessionState session)
    {
        ArgumentNullException.ThrowIfNull(session);
        lock (_gate)
        {
            if (!_sessions.ContainsKey(session.Id) && _sessions.Count >= _capacity) { throw new InvalidOperationException($"The store has {_capacity} sessions, as many as its capacity allows."); }
            var bytes = _box.Seal(session.Content.ToBytes());
            _sessions[session.Id] = bytes;
            _changes.Add(SessionEntry.OfSession(bytes));
        }
    }

    /// <inheritdoc/>
    public void Remove(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        lock (_gate)
        {
            if (_sessions.Remove(id)) { _changes.Add(SessionEntry.OfRemoval(_box.Seal(System.Text.Encoding.UTF8.GetBytes(id)))); }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written, or another process has taken it over.</exception>
    public void Flush()
    {
        lock (_gate)
        {
            _file.Append(_changes);
            _changes.Clear();
            if (_file.IsOutdated(_sessions.Count)) { _file.Rewrite(_sessions.Values.Select(static session => SessionEntry.OfSession(session))); }
        }
    }

    /// <summary>Closes the file.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _file.Dispose();
            _box.Dispose();
        }
    }

    private Dictionary<string, DtlsSessionState> Read(IEnumerable<byte[]> entries)
    {
        var sessions = new Dictionary<string, DtlsSessionState>(StringComparer.Ordinal);
        foreach (var entry in entries)
        {
            var content = _box.Open(SessionEntry.ContentOf(entry));
            if (SessionEntry.IsRemoval(entry))
            {
                sessions.Remove(System.Text.Encoding.UTF8.GetString(content));
                continue;
            }
            var session = new DtlsSessionState(SessionContent.Read(content));
            sessions[session.Id] = session;
        }
        return sessions;
    }
}
