using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of lists: an array of items. For generated code.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="items">The contract of the items.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ListContract<T>(PayloadContract<T> items) : PayloadContract<List<T>>
{
    /// <inheritdoc/>
    public override void Write(CborWriter writer, List<T> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        ItemSequences.Write(writer, CollectionsMarshal.AsSpan(value), items);
    }

    /// <inheritdoc/>
    public override List<T> Read(CborReader reader) => ItemSequences.ReadList(reader, items);
}
