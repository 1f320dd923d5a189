namespace CoAP.Resources;

/// <summary>One slot for each type of feature. Safe for concurrent use; reading takes no lock.</summary>
/// <remarks>A resource uses few features, so a scan of a short array finds one faster than a dictionary does.</remarks>
internal sealed class ResourceFeatures
{
    private ResourceFeature[] _features = [];

    /// <summary>Returns the state of a feature, or <see langword="null"/> if the feature is not in use.</summary>
    public T? Find<T>()
        where T : ResourceFeature
    {
        foreach (var feature in Volatile.Read(ref _features))
        {
            if (feature is T found) { return found; }
        }
        return null;
    }

    /// <summary>Fills an empty slot. Returns <see langword="false"/> if the slot is taken.</summary>
    public bool TryAdd<T>(T feature)
        where T : ResourceFeature
    {
        for (var before = Volatile.Read(ref _features); !before.OfType<T>().Any();)
        {
            var met = Interlocked.CompareExchange(ref _features, [.. before, feature], before);
            if (met == before) { return true; }
            before = met;
        }
        return false;
    }

    /// <summary>Fills a slot or replaces its content.</summary>
    public void Set<T>(T feature)
        where T : ResourceFeature
    {
        for (var before = Volatile.Read(ref _features); ;)
        {
            var met = Interlocked.CompareExchange(ref _features, [.. before.Where(other => other is not T), feature], before);
            if (met == before) { return; }
            before = met;
        }
    }

    /// <summary>Calls <see cref="ResourceFeature.OnRemoved"/> of all features.</summary>
    public void OnRemoved()
    {
        foreach (var feature in Volatile.Read(ref _features)) { feature.OnRemoved(); }
    }
}
