using System.Security.Cryptography;
using CoAP.Dtls;

namespace CoAP;

/// <summary>Stores sessions in an encrypted file. A change is appended, so it costs little. The file is rewritten when a third of it is outdated.</summary>
/// <remarks>
/// Safe for concurrent use within one process. Only the owner of the file can read it. When another process takes the file over, this one can write no more: its
/// next <see cref="Flush"/> fails with an <see cref="IOException"/>, which is logged, and it continues without the store. If <see cref="TakeOver"/> fails, the endpoint
/// does not start.
/// </remarks>
public sealed class FileDtlsSessionStore : IDtlsSessionStore, IDisposable
{
    private const int LeastOutdated = 1000;

    private readonly Lock _gate = new();
    private SessionFile _file;
    private readonly SecretBox _box;
    private readonly int _capacity;
    private readonly string _path;
    private readonly Dictionary<string, int> _stored = new(StringComparer.Ordinal);         // the generations of the sessions in the file
    private readonly Dictionary<string, DtlsSessionState?> _changes = new(StringComparer.Ordinal);      // null for a removal
    private int _count;
    private int _entries;

    /// <summary>Creates a store. The file is opened when the endpoint starts.</summary>
    /// <param name="path">The file.</param>
    /// <param name="secret">The secret that encrypts the file, at least 32 random bytes. Do not store it next to the file.</param>
    /// <param name="capacity">The largest number of sessions. Further ones are not stored. Default: 100,000, in a file of at most about 60 MB.</param>
    /// <exception cref="ArgumentException">The secret is shorter than 32 bytes, or the path is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public FileDtlsSessionStore(string path, ReadOnlySpan<byte> secret, int capacity = 100_000)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_box, _capacity, _path) = (new SecretBox(secret), capacity, path);
        _file = new SessionFile(path, _box);
    }

    /// <summary>
    /// The file that keeps how often the sessions were taken over, so that a session file from a backup is detected: <see cref="TakeOver"/> then fails. Default:
    /// <see langword="null"/>, the session file with ".generation" appended. A file in another folder also detects that the whole folder was restored.
    /// </summary>
    /// <exception cref="ArgumentException">The path is empty.</exception>
    public string? GenerationFile
    {
        get;
        init
        {
            if (value is "") { throw new ArgumentException("GenerationFile is empty; null stands for a file beside the session file.", nameof(GenerationFile)); }
            (field, _file) = (value, new SessionFile(_path, _box, value));
        }
    }

    /// <summary>The number of changes that <see cref="Flush"/> has not written.</summary>
    internal int WaitingChanges
    {
        get
        {
            lock (_gate) { return _changes.Count; }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be read or written, is not the file of such a store, or is an earlier state (<see cref="GenerationFile"/>).</exception>
    /// <exception cref="CryptographicException">The file was written with another secret.</exception>
    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        lock (_gate)
        {
            List<DtlsSessionState> sessions;
            try { sessions = Rewrite(_file.TakeOver, static session => session.TakeOver()); }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                throw new IOException($"The DTLS session store {_path} cannot be opened: {exception.Message} It needs a folder that this process can write to.", exception);
            }
            catch (CryptographicException exception)
            {
                throw new CryptographicException(
                    $"The DTLS session store {_path} cannot be read: its secret is another one, or the file was changed. "
                    + "Use the secret with which it was written, or delete the file. Its peers then need new handshakes.", exception);
            }
            _changes.Clear();
            _count = sessions.Count;
            return sessions;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The store has as many sessions as its capacity allows.</exception>
    public void Save(DtlsSessionState session)
    {
        ArgumentNullException.ThrowIfNull(session);
        lock (_gate)
        {
            if (!_file.IsOpen) { return; }      // Flush says why
            if (_stored.TryGetValue(session.Id, out var generation) && generation > session.Generation) { return; }
            if (!IsLive(session.Id))
            {
                if (_count >= _capacity) { throw new InvalidOperationException($"The store has {_capacity} sessions, as many as its capacity allows."); }
                _count++;
            }
            _changes[session.Id] = session;
        }
    }

    /// <inheritdoc/>
    public void Remove(string id) => Remove(id, int.MaxValue);

    /// <inheritdoc/>
    public void Remove(string id, int generation)
    {
        ArgumentNullException.ThrowIfNull(id);
        lock (_gate)
        {
            if (!_file.IsOpen || !IsLive(id) || GenerationOf(id) > generation) { return; }
            _count--;
            // What the file does not have needs no removal. So no more changes wait than there are sessions, even if the file cannot be written.
            if (_stored.ContainsKey(id)) { _changes[id] = null; }
            else { _changes.Remove(id); }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written, or another process has taken it over.</exception>
    public void Flush()
    {
        lock (_gate)
        {
            _file.ThrowIfNotOpen();
            if (_changes.Count == 0) { return; }
            Append();
            if (_entries <= LeastOutdated + (3L * _stored.Count / 2)) { return; }
            _entries = _stored.Count;       // if the disk is full, not every change tries again
            foreach (var session in Rewrite(_file.Compact, static session => session)) { SessionBlocks.Erase(session); }
        }
    }

    /// <summary>Closes the file.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _file.Dispose();
            _box.Dispose();
            Forget();
        }
    }

    private int GenerationOf(string id) => _changes.GetValueOrDefault(id)?.Generation ?? _stored.GetValueOrDefault(id);

    private bool IsLive(string id) => _changes.TryGetValue(id, out var change) ? change is not null : _stored.ContainsKey(id);

    private void Append()
    {
        try
        {
            _file.Append(blocks =>
            {
                foreach (var (id, session) in _changes)
                {
                    if (session is null) { blocks.AddRemoval(id); }
                    else { blocks.Add(session); }
                }
            });
        }
        finally
        {
            if (!_file.IsOpen) { Forget(); }
        }
        foreach (var (id, session) in _changes)
        {
            if (session is null) { _stored.Remove(id); }
            else { _stored[id] = session.Generation; }
        }
        _entries += _changes.Count;
        _changes.Clear();
    }

    private List<DtlsSessionState> Rewrite(
        Action<Action<SessionBlocks, IReadOnlyCollection<DtlsSessionState>>> replace, Func<DtlsSessionState, DtlsSessionState?> nextOf)
    {
        var sessions = new List<DtlsSessionState>();
        replace((blocks, earlier) =>
        {
            sessions.EnsureCapacity(earlier.Count);
            foreach (var session in earlier)
            {
                if (nextOf(session) is not { } next) { continue; }
                sessions.Add(next);
                blocks.Add(next);
            }
        });
        _stored.Clear();
        _stored.EnsureCapacity(sessions.Count);
        foreach (var session in sessions) { _stored[session.Id] = session.Generation; }
        _entries = _stored.Count;
        return sessions;
    }

    private void Forget()
    {
        _changes.Clear();
        _stored.Clear();
        _count = 0;
    }
}
