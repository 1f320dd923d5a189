using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>
/// The contract of interfaces of dictionaries, such as <see cref="IReadOnlyDictionary{TKey, TValue}"/>. Reading returns a
/// <see cref="Dictionary{TKey, TValue}"/>. For generated code.
/// </summary>
/// <typeparam name="TMap">The interface.</typeparam>
/// <typeparam name="TKey">The type of the keys: a text, an integer or a <see cref="Guid"/>.</typeparam>
/// <typeparam name="TValue">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MapContract<TMap, TKey, TValue> : PayloadContract<TMap>
    where TMap : class, IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    private readonly DictionaryContract<TKey, TValue> _dictionaries;

    /// <summary>Creates a contract.</summary>
    /// <param name="keys">The contract of the keys.</param>
    /// <param name="values">The contract of the values.</param>
    /// <exception cref="ArgumentException">A <see cref="Dictionary{TKey, TValue}"/> does not implement <typeparamref name="TMap"/>.</exception>
    public MapContract(PayloadContract<TKey> keys, PayloadContract<TValue> values)
    {
        if (!typeof(TMap).IsAssignableFrom(typeof(Dictionary<TKey, TValue>)))
        {
            throw new ArgumentException($"{typeof(Dictionary<TKey, TValue>)} does not implement {typeof(TMap)}.", nameof(keys));
        }
        _dictionaries = new DictionaryContract<TKey, TValue>(keys, values);
    }

    /// <inheritdoc/>
    public override void Write(CborWriter writer, TMap value)
    {
        ArgumentNullException.ThrowIfNull(value);
        _dictionaries.Write(writer, value as Dictionary<TKey, TValue> ?? new Dictionary<TKey, TValue>(value, TableComparer.Of<TKey>()));
    }

    /// <inheritdoc/>
    public override TMap Read(CborReader reader) => (TMap)(object)_dictionaries.Read(reader);
}
