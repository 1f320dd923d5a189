using CoAP.Accounting;

namespace CoAP.Observing;

/// <summary>The entries of a store by key, up to a limit, and the text file that keeps them, one line each. Safe for concurrent use.</summary>
/// <remarks>If the entries belong to peers, an account can use at most as much of the file as is still free.</remarks>
internal sealed class BoundedStore<TKey, T>
    where TKey : notnull
    where T : class
{
    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, (T Entry, int Size)> _entries = new(SeededComparer<TKey>.Default);
    private readonly Func<T, TKey> _keyOf;
    private readonly Func<T, string>? _format;
    private readonly Func<T, Account>? _accountOf;
    private readonly LedgerBook _bytes = new(StoreFile.MaxSize, StoreFile.MaxSize);
    private readonly int _capacity;
    private readonly string _name;
    private bool _isChanged;

    /// <param name="capacity">The most entries that the store keeps.</param>
    /// <param name="name">The name of the entries in error messages.</param>
    /// <param name="keyOf">Returns the key of an entry.</param>
    /// <param name="format">Returns the line of an entry in the file; <see langword="null"/> if the store has no file.</param>
    /// <param name="accountOf">Returns the account of an entry; <see langword="null"/> if the entries do not belong to peers.</param>
    public BoundedStore(int capacity, string name, Func<T, TKey> keyOf, Func<T, string>? format = null, Func<T, Account>? accountOf = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        (_capacity, _name, _keyOf, _format, _accountOf) = (capacity, name, keyOf, format, accountOf);
    }

    public IReadOnlyList<T> List()
    {
        lock (_gate) { return [.. _entries.Values.Select(static one => one.Entry)]; }
    }

    /// <summary>Adds an entry or replaces the one with the same key.</summary>
    /// <exception cref="InvalidOperationException">The store is full, its file would become too large to be read, or the account has used up its share of the file.</exception>
    public void Save(T entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        if (TrySave(entry, isShared: _accountOf is not null, out var isFull)) { return; }
        throw new InvalidOperationException(isFull ? $"The store is full: it keeps at most {_capacity} {_name}." : WhyTooLarge(entry));
    }

    public void Remove(TKey key)
    {
        lock (_gate)
        {
            if (!_entries.Remove(key, out var removed)) { return; }
            _bytes.Release(AccountOf(removed.Entry), removed.Size);
            _isChanged = true;
        }
    }

    /// <summary>Adds the entries of a file until the store is full. Skips lines that the parser returns <see langword="null"/> for.</summary>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is too large.</exception>
    public void Read(string path, Func<string, T?> parse)
    {
        using var reader = StoreFile.Open(path);
        while (_entries.Count < _capacity && reader?.ReadLine() is { } line)
        {
            if (parse(line) is { } entry) { TrySave(entry, isShared: false, out _); }
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

    private string WhyTooLarge(T entry)
    {
        var share = _accountOf is null ? "" : $", of which {_accountOf(entry)} uses {_bytes.HeldBy(_accountOf(entry))}; an account uses at most as many as are free";
        return $"The file of the store has no room: it holds at most {StoreFile.MaxSize} bytes, and {_bytes.Used} are used{share}.";
    }

    private Account AccountOf(T entry) => _accountOf?.Invoke(entry) ?? default;

    // A larger file could not be read again, so writing limits the size too. What an earlier run has written is within the shares of that run.
    private bool TrySave(T entry, bool isShared, out bool isFull)
    {
        var (key, size, account) = (_keyOf(entry), _format is null ? 0 : StoreFile.SizeOf(_format(entry)), AccountOf(entry));
        lock (_gate)
        {
            var isNew = !_entries.TryGetValue(key, out var known);
            isFull = isNew && _entries.Count >= _capacity;
            if (isFull) { return false; }
            var more = size - known.Size;
            if (more > 0 && !TryTake(account, more, isShared)) { return false; }
            if (more < 0) { _bytes.Release(account, -more); }
            _entries[key] = (entry, size);
            return _isChanged = true;
        }
    }

    private bool TryTake(in Account account, long size, bool isShared)
    {
        if (isShared) { return _bytes.TryTake(account, size); }
        if (_bytes.Used + size > _bytes.Limit) { return false; }
        _bytes.Take(account, size);
        return true;
    }
}
