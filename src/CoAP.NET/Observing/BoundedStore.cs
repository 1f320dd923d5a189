using System.Text;

namespace CoAP.Observing;

/// <summary>The entries of a store by key, up to a limit, and the text file that keeps them, one line each. Safe for concurrent use.</summary>
internal sealed class BoundedStore<TKey, T>
    where TKey : notnull
    where T : class
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, T> _entries = [];
    private readonly Func<T, TKey> _keyOf;
    private readonly int _capacity;
    private bool _isChanged;

    /// <param name="capacity">The most entries that the store keeps.</param>
    /// <param name="keyOf">Returns the key of an entry.</param>
    public BoundedStore(int capacity, Func<T, TKey> keyOf)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_capacity, _keyOf) = (capacity, keyOf);
    }

    public IReadOnlyList<T> List()
    {
        lock (_gate) { return [.. _entries.Values]; }
    }

    /// <summary>Adds an entry or replaces the one with the same key. Returns <see langword="false"/> if the store is full.</summary>
    public bool TrySave(T entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        var key = _keyOf(entry);
        lock (_gate)
        {
            if (_entries.Count >= _capacity && !_entries.ContainsKey(key)) { return false; }
            _entries[key] = entry;
            return _isChanged = true;
        }
    }

    public void Remove(TKey key)
    {
        lock (_gate) { _isChanged |= _entries.Remove(key); }
    }

    /// <summary>Adds the entries of a file until the store is full. Skips lines that the parser returns <see langword="null"/> for.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public void Read(string path, Func<string, T?> parse)
    {
        if (!File.Exists(path)) { return; }
        foreach (var entry in File.ReadLines(path).Select(parse).OfType<T>().TakeWhile(_ => _entries.Count < _capacity)) { TrySave(entry); }
        _isChanged = false;
    }

    /// <summary>Replaces the file if there are changes. A restart at any moment finds either the old or the new file.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path, Func<T, string> format)
    {
        lock (_gate)
        {
            if (!_isChanged) { return; }
            var next = path + ".new";
            using (var file = new FileStream(next, FileMode.Create, FileAccess.Write, FileShare.None))
            {
                using var text = new StreamWriter(file, Utf8, leaveOpen: true);
                foreach (var entry in _entries.Values) { text.WriteLine(format(entry)); }
                text.Flush();
                // If the rename reached the disk before the content, a crash would leave an empty file.
                file.Flush(flushToDisk: true);
            }
            File.Move(next, path, overwrite: true);
            _isChanged = false;
        }
    }
}
