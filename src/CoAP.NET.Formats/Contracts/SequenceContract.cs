using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Formats.Contracts;

/// <summary>
/// The contract of interfaces of lists, such as <see cref="IReadOnlyList{T}"/> and <see cref="IEnumerable{T}"/>. Reading returns a
/// <see cref="List{T}"/>. For generated code.
/// </summary>
/// <typeparam name="TSequence">The interface.</typeparam>
/// <typeparam name="T">The type of the items.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SequenceContract<TSequence, T> : PayloadContract<TSequence>
    where TSequence : class, IEnumerable<T>
{
    private readonly PayloadContract<T> _items;

    /// <summary>Creates a contract.</summary>
    /// <param name="items">The contract of the items.</param>
    /// <exception cref="ArgumentException">A <see cref="List{T}"/> does not implement <typeparamref name="TSequence"/>.</exception>
    public SequenceContract(PayloadContract<T> items)
    {
        if (!typeof(TSequence).IsAssignableFrom(typeof(List<T>)))
        {
            throw new ArgumentException($"{typeof(List<T>)} does not implement {typeof(TSequence)}.", nameof(items));
        }
        _items = items;
    }

    /// <inheritdoc/>
    public override void Write(CborWriter writer, TSequence value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value is T[] array) { ItemSequences.Write(writer, array, _items); }
        else { ItemSequences.Write(writer, CollectionsMarshal.AsSpan(value as List<T> ?? [.. value]), _items); }
    }

    /// <inheritdoc/>
    public override TSequence Read(CborReader reader) => (TSequence)(object)ItemSequences.ReadList(reader, _items);
}
