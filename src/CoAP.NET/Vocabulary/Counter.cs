namespace CoAP.Vocabulary;

/// <summary>A counter that every owner of a kind has, such as every lane. One instrument reports the sum over all owners.</summary>
/// <param name="group">The group of the owners.</param>
/// <param name="place">The place of the counter in each <see cref="CounterTable"/> of the group.</param>
internal sealed class Counter(CounterGroup group, int place)
{
    public int Place => place;

    /// <summary>Returns the sum over all owners of this process, including those that have ended.</summary>
    public long Sum() => group.Sum(place);
}
