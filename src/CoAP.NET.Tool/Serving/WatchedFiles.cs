using CoAP.Options;

namespace CoAP.Tool.Serving;

/// <summary>
/// The files and folders that clients observe. They are compared with their last state from time to time, which works on every file system and costs
/// nothing for other files. Bounded.
/// </summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class WatchedFiles(TimeProvider time)
{
    /// <summary>
    /// The most files. Of the client with the most files, the one that was not read for the longest time is dropped first. Its observers still get the
    /// state before Max-Age ends.
    /// </summary>
    public const int MaxFiles = 1000;

    /// <summary>
    /// The most files of all clients together whose addresses may be forged. They take no place of others, not even of one another, because
    /// anyone can forge more of them; but they leave theirs to the others. Without a place, an observer still gets the state before Max-Age
    /// ends.
    /// </summary>
    public const int MaxUnverified = MaxFiles / 8;

    // The server reads an observed file again before its Max-Age of 60 s ends. A file that was not read for this time has no observer any more.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(150);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Watched> _files = new(StringComparer.Ordinal);

    public int Count
    {
        get
        {
            lock (_gate) { return _files.Count; }
        }
    }

    /// <summary>Adds a file that a client observes, or remembers that it is still observed.</summary>
    /// <param name="requestPath">The path in the request.</param>
    /// <param name="path">The absolute path of the file.</param>
    /// <param name="state">The state that the client gets, as of <see cref="ServedFile.StateOf"/>.</param>
    /// <param name="client">The account of the client; <see langword="null"/> if its address may be forged. The first to observe a file
    /// counts, but an account before none.</param>
    public void Add(string requestPath, string path, ETag? state, Account? client)
    {
        var now = time.GetTimestamp();
        lock (_gate)
        {
            if (_files.TryGetValue(requestPath, out var known)) { client = known.Client ?? client; }
            else if (!TryMakeRoom(client)) { return; }
            _files[requestPath] = new Watched(path, state, now, client);
        }
    }

    // A client with many files takes the place of its own, not that of others. A client that may be forged takes the place of none.
    private bool TryMakeRoom(Account? client)
    {
        var isFull = _files.Count >= MaxFiles;
        if (client is not null && !isFull) { return true; }
        var unverified = _files.Where(static file => file.Value.Client is null).ToArray();
        if (client is null) { return !isFull && unverified.Length < MaxUnverified; }
        if (unverified.Length > 0) { return _files.Remove(LeastRecent(unverified)); }
        var largest = _files.GroupBy(static file => file.Value.Client!.Value)
            .MaxBy(group => group.Count() + (group.Key == client ? 1 : 0))!;
        return _files.Remove(LeastRecent(largest));
    }

    private static string LeastRecent(IEnumerable<KeyValuePair<string, Watched>> files) =>
        files.MinBy(static file => file.Value.ReadAt).Key;

    /// <summary>Returns the request paths of all files that have changed since the last call or since they were read.</summary>
    public IReadOnlyList<string> TakeChanges()
    {
        KeyValuePair<string, Watched>[] files;
        lock (_gate)
        {
            foreach (var (path, file) in _files)
            {
                if (time.GetElapsedTime(file.ReadAt) > Patience) { _files.Remove(path); }
            }
            files = [.. _files];
        }
        var changes = new List<string>();
        foreach (var (path, file) in files)
        {
            if (!TryReadState(file.Path, out var state) || Equals(state, file.State)) { continue; }
            changes.Add(path);
            Replace(path, file, file with { State = state });
        }
        return changes;
    }

    // A request may have read a newer state meanwhile.
    private void Replace(string path, Watched old, Watched changed)
    {
        lock (_gate)
        {
            if (_files.GetValueOrDefault(path) == old) { _files[path] = changed; }
        }
    }

    private static bool TryReadState(string path, out ETag? state)
    {
        state = null;
        try
        {
            state = ServedFile.StateOf(path);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;      // tried again in the next round
        }
    }

    private sealed record Watched(string Path, ETag? State, long ReadAt, Account? Client);
}
