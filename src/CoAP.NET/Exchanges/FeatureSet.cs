namespace CoAP.Exchanges;

/// <summary>The state that features keep on a lane: one object of each type, added while the lane is wired.</summary>
internal sealed class FeatureSet
{
    private readonly List<object> _features = [];

    public void Add(object feature) => _features.Add(feature);

    /// <exception cref="InvalidOperationException">The mesh has not linked the feature.</exception>
    public T Get<T>() where T : class => Find<T>() ?? throw new InvalidOperationException($"The lane has no {typeof(T).Name}.");

    public T? Find<T>() where T : class
    {
        foreach (var feature in _features)
        {
            if (feature is T found) { return found; }
        }
        return null;
    }
}
