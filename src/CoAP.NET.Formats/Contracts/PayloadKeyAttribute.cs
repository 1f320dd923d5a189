namespace CoAP.Formats;

/// <summary>Sets the key of a property in the map of its object. Integer keys make the payload smaller.</summary>
/// <remarks>Takes precedence over <c>[JsonPropertyName]</c>, so that a property can have a name in JSON and a number in CBOR.</remarks>
[AttributeUsage(AttributeTargets.Property)]
public sealed class PayloadKeyAttribute : Attribute
{
    /// <summary>Sets an integer as key. -24 to 23 take one byte in CBOR (RFC 8949, section 3.1).</summary>
    public PayloadKeyAttribute(int number) => Number = number;

    /// <summary>Sets a text as key.</summary>
    public PayloadKeyAttribute(string name) => Name = name ?? throw new ArgumentNullException(nameof(name));

    /// <summary>The key, if it is an integer.</summary>
    public int? Number { get; }

    /// <summary>The key, if it is a text.</summary>
    public string? Name { get; }
}
