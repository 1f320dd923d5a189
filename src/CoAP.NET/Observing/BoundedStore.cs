namespace CoAP.Observing;

/// <summary>The entries of a store by key, up to a limit, and the text file that keeps them, one line each. Safe for concurrent use.</summary>
internal sealed class BoundedStore<TKey, T>
    where TKey : notnull
    where T : class
{
    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, (T Entry, int Size)> _entries = [];
    private readonly Func<T, TKey> _keyOf;
    private readonly Func<T, string>? _format;
    private readonly int _capacity;
    private readonly string _name;
    private long _size;
    private bool _isChanged;

    /// <param name="capacity">The most entries that the store keeps.</param>
    /// <param name="name">The name of the entries in error messages.</param>
    /// <param name="keyOf">Returns the key of an entry.</param>
    /// <param name="format">Returns the line of an entry in the file; <see langword="null"/> if the store has no file.</param>
    public BoundedStore(int capacity, string name, Func<T, TKey> keyOf, Func<T, string>? format = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_capacity, _name, _keyOf, _format) = (capacity, name, keyOf, format);
    }

    public IReadOnlyList<T> List()
    {
        lock (_gate) { return [.. _entries.Values.Select(static one => one.Entry)]; }
    }

    /// <summary>Adds an entry or replaces the one with the same key.</summary>
    /// <exception cref="InvalidOperationException">The store is full, or its file would become too large to be read.</exception>
    public void Save(T entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        if (TrySave(entry)) { return; }
        throw new InvalidOperationException(
            $"The store is full: it keeps at most {_capacity} {_name}{(_format is null ? "" : $", and a file of at most {StoreFile.MaxSize} bytes")}.");
    }

    public void Remove(TKey key)
    {
        lock (_gate)
        {
            if (!_entries.Remove(key, out var removed)) { return; }
            (_size, _isChanged) = (_size - removed.Size, true);
        }
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
    public void Write(string path)
    {
        lock (_gate)
        {
            if (!_isChanged) { return; }
            StoreFile.Replace(path, _entries.Values.Select(one => _format!(one.Entry)));
            _isChanged = false;
        }
    }

    // A larger file could not be read again, so writing limits the size too.
    private bool TrySave(T entry)
    {
        var (key, size) = (_keyOf(entry), _format is null ? 0 : StoreFile.SizeOf(_format(entry)));
        lock (_gate)
        {
            var isNew = !_entries.TryGetValue(key, out var known);
            if ((isNew && _entries.Count >= _capacity) || _size - known.Size + size > StoreFile.MaxSize) { return false; }
            (_entries[key], _size) = ((entry, size), _size - known.Size + size);
            return _isChanged = true;
        }
    }
}
