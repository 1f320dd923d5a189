using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of dictionaries: a map. A key that occurs twice is an error. For generated code.</summary>
/// <typeparam name="TKey">The type of the keys: a text, an integer or a <see cref="Guid"/>.</typeparam>
/// <typeparam name="TValue">The type of the values.</typeparam>
/// <param name="keys">The contract of the keys.</param>
/// <param name="values">The contract of the values.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class DictionaryContract<TKey, TValue>(PayloadContract<TKey> keys, PayloadContract<TValue> values)
    : PayloadContract<Dictionary<TKey, TValue>>
    where TKey : notnull
{
    /// <inheritdoc/>
    public override void Write(CborWriter writer, Dictionary<TKey, TValue> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteMapStart(value.Count);
        foreach (var (key, item) in value)
        {
            keys.Write(writer, key);
            values.Write(writer, item);
        }
    }

    /// <inheritdoc/>
    public override Dictionary<TKey, TValue> Read(CborReader reader)
    {
        // Entries are large, and maps may be inside one another: room for a few, whatever the map announces.
        const int MostInitialEntries = 4;
        var dictionary = new Dictionary<TKey, TValue>(Math.Min(reader.ReadMapStart() ?? 0, MostInitialEntries), TableComparer.Of<TKey>());
        while (reader.MoveNext())
        {
            var offset = reader.Offset;
            var key = keys.Read(reader);
            ref var value = ref CollectionsMarshal.GetValueRefOrAddDefault(dictionary, key, out var isDuplicate);
            if (isDuplicate) { throw new CoapPayloadException($"The map has a key twice (at byte {offset}).", offset); }
            value = values.Read(reader);
        }
        return dictionary;
    }
}
