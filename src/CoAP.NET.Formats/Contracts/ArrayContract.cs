using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of arrays of one dimension. For generated code.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="items">The contract of the items.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ArrayContract<T>(PayloadContract<T> items) : PayloadContract<T[]>
{
    /// <inheritdoc/>
    public override void Write(CborWriter writer, T[] value)
    {
        ArgumentNullException.ThrowIfNull(value);
        ItemSequences.Write(writer, value, items);
    }

    /// <inheritdoc/>
    public override T[] Read(CborReader reader) => ItemSequences.ReadArray(reader, items);
}
