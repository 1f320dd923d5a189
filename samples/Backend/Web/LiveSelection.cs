namespace Backend;

/// <summary>
/// The controllers that one page shows: those that it asks for, or else those that the backend has heard from most recently. A controller that is shown stays
/// until it is quiet and another one is not, so that rows do not come and go.
/// </summary>
internal sealed class LiveSelection(ControllerTable controllers, IReadOnlyCollection<string> asked, TimeProvider time)
{
    /// <summary>The most controllers that a page shows.</summary>
    public const int Most = 200;

    private static readonly TimeSpan QuietAfter = TimeSpan.FromMinutes(1);

    private readonly Dictionary<string, long> _versions = new(StringComparer.Ordinal);     // those that the page has, and -1 for those that it will get

    /// <summary>Returns what has changed since the last call, in the order of the ids.</summary>
    public (IReadOnlyList<Controller> Changed, IReadOnlyList<string> Gone) Next()
    {
        List<string> gone = [.. _versions.Keys.Where(id => !controllers.TryFind(id, out _))];
        foreach (var id in gone) { _versions.Remove(id); }
        if (asked.Count == 0) { AddRecent(gone); }
        else { Add(asked.Where(id => controllers.TryFind(id, out _))); }

        List<Controller> changed = [];
        foreach (var id in _versions.Keys.Order(StringComparer.Ordinal))
        {
            if (controllers.TryFind(id, out var one) && one.Version is var version && _versions[id] != version) { changed.Add(one); }
        }
        foreach (var one in changed) { _versions[one.Id] = one.Version; }
        return (changed, gone);
    }

    private void AddRecent(List<string> gone)
    {
        if (controllers.Count <= _versions.Count) { return; }
        var quietSince = time.GetUtcNow() - QuietAfter;
        var quiet = new Queue<string>(_versions.Keys.Where(id => controllers.TryFind(id, out var one) && one.LastContact <= quietSince));
        var room = Most - _versions.Count;
        if (room + quiet.Count == 0) { return; }
        var others = controllers.All
            .Where(one => !_versions.ContainsKey(one.Id) && (room > 0 || one.LastContact > quietSince))
            .OrderByDescending(static one => one.LastContact).ThenBy(static one => one.Id, StringComparer.Ordinal)
            .Take(room + quiet.Count)
            .Select(static one => (one.Id, one.LastContact))
            .ToArray();
        Add(others.Take(room).Select(static one => one.Id));
        foreach (var (id, contact) in others.Skip(room).Where(one => one.LastContact > quietSince))
        {
            gone.Add(quiet.Dequeue());
            _versions.Remove(gone[^1]);
            _versions.Add(id, -1);
        }
    }

    private void Add(IEnumerable<string> ids)
    {
        foreach (var id in ids) { _versions.TryAdd(id, -1); }
    }
}
