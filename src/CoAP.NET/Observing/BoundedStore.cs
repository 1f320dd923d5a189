namespace CoAP.Observing;

/// <summary>The entries of a store by key, up to a limit, and the text file that keeps them, one line each. Safe for concurrent use.</summary>
internal sealed class BoundedStore<TKey, T>
    where TKey : notnull
    where T : class
{
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
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is too large.</exception>
    public void Read(string path, Func<string, T?> parse)
    {
        using var reader = StoreFile.Open(path);
        while (_entries.Count < _capacity && reader?.ReadLine() is { } line)
        {
            if (parse(line) is { } entry) { TrySave(entry); }
        }
        _isChanged = false;
    }

    /// <summary>Replaces the file if there are changes. A restart at any moment finds either the old or the new file.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path, Func<T, string> format)
    {
        lock (_gate)
        {
            if (!_isChanged) { return; }
            StoreFile.Replace(path, _entries.Values.Select(format));
            _isChanged = false;
        }
    }
}
