namespace CoAP.Formats;

/// <summary>Writes the values of one type as items, and reads them back.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <remarks>
/// The source generator creates contracts: see <see cref="PayloadContractAttribute"/>. Derive from this class to write one by hand.
/// Implementations must be safe for concurrent use.
/// </remarks>
public abstract class PayloadContract<T>
{
    /// <summary>Writes one value as exactly one item.</summary>
    /// <exception cref="ArgumentException">The value cannot be written, such as a text with a lone surrogate.</exception>
    public abstract void Write(CborWriter writer, T value);

    /// <summary>Reads one value from exactly one item.</summary>
    /// <exception cref="CoapPayloadException">The item is malformed or not a value of this type.</exception>
    public abstract T Read(CborReader reader);
}
