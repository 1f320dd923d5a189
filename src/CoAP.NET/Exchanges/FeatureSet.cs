namespace CoAP.Exchanges;

/// <summary>The state that features keep on a lane or a resource: at most one object of each type. Safe for concurrent use; reading takes no lock.</summary>
/// <typeparam name="TFeature">The type that all features have in common.</typeparam>
/// <remarks>There are few features, so a scan of a short array finds one faster than a dictionary does.</remarks>
internal sealed class FeatureSet<TFeature>
    where TFeature : class
{
    private TFeature[] _features = [];

    /// <summary>All features.</summary>
    public IReadOnlyList<TFeature> All => Volatile.Read(ref _features);

    /// <summary>Returns the state of a feature.</summary>
    /// <exception cref="InvalidOperationException">The feature is not in use.</exception>
    public T Get<T>()
        where T : class, TFeature => Find<T>() ?? throw new InvalidOperationException($"The feature {typeof(T).Name} is not in use.");

    /// <summary>Returns the state of a feature, or <see langword="null"/> if the feature is not in use.</summary>
    public T? Find<T>()
        where T : class, TFeature
    {
        foreach (var feature in Volatile.Read(ref _features))
        {
            if (feature is T found) { return found; }
        }
        return null;
    }

    /// <summary>Adds a feature. Returns <see langword="false"/> if there is one of this type.</summary>
    public bool TryAdd<T>(T feature)
        where T : class, TFeature => TryPut(feature, mayReplace: false);

    /// <summary>Adds a feature, or replaces the one of this type.</summary>
    public void Set<T>(T feature)
        where T : class, TFeature => TryPut(feature, mayReplace: true);

    private bool TryPut<T>(T feature, bool mayReplace)
        where T : class, TFeature
    {
        for (var before = Volatile.Read(ref _features); mayReplace || !before.OfType<T>().Any();)
        {
            var met = Interlocked.CompareExchange(ref _features, [.. before.Where(other => other is not T), feature], before);
            if (met == before) { return true; }
            before = met;
        }
        return false;
    }
}
