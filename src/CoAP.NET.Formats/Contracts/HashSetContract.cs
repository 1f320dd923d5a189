using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of sets: an array of items. An item that occurs twice is read once. For generated code.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="items">The contract of the items.</param>
/// <param name="comparer">
/// Compares the items. A peer that can choose items with equal hash codes can make reading very slow. The default is safe for texts, integers and
/// <see cref="Guid"/>; other types need a comparer whose hash codes cannot be foreseen.
/// </param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HashSetContract<T>(PayloadContract<T> items, IEqualityComparer<T>? comparer = null) : PayloadContract<HashSet<T>>
{
    private readonly IEqualityComparer<T>? _comparer = comparer ?? TableComparer.Of<T>();

    /// <inheritdoc/>
    public override void Write(CborWriter writer, HashSet<T> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteArrayStart(value.Count);
        foreach (var item in value) { items.Write(writer, item); }
    }

    /// <inheritdoc/>
    public override HashSet<T> Read(CborReader reader)
    {
        var set = new HashSet<T>(ItemSequences.CapacityFor<T>(reader, reader.ReadArrayStart()), _comparer);
        while (reader.MoveNext()) { set.Add(items.Read(reader)); }
        return set;
    }
}
