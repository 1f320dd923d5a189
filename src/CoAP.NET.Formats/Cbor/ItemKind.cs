namespace CoAP.Formats;

/// <summary>The kinds of items that a <see cref="CborReader"/> distinguishes.</summary>
public enum ItemKind
{
    /// <summary>The end of the array, the map or the payload.</summary>
    End,

    /// <summary>The absence of a value. CBOR's "undefined" also has this kind.</summary>
    Null,

    /// <summary><see langword="true"/> or <see langword="false"/>.</summary>
    Boolean,

    /// <summary>An integer from -2^63 to 2^64 - 1, or in CBOR from -2^64.</summary>
    Integer,

    /// <summary>A floating-point number of 16, 32 or 64 bits.</summary>
    Float,

    /// <summary>A text in UTF-8.</summary>
    Text,

    /// <summary>Bytes.</summary>
    Bytes,

    /// <summary>An array of items.</summary>
    Array,

    /// <summary>A map from items to items.</summary>
    Map,

    /// <summary>A point in time: tag 0 or 1.</summary>
    Timestamp,

    /// <summary>Any other tagged item.</summary>
    Tagged,

    /// <summary>A simple value of CBOR without a meaning of its own.</summary>
    Simple,
}
