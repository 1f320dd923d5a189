using CoAP.Problems;

namespace CoAP;

/// <summary>An entry of problem details that the application defines, or that this library does not know (RFC 9290, section 3).</summary>
public sealed record ProblemEntry
{
    /// <summary>Creates an entry with a number: 0 and above are registered by applications, negative numbers are for general use.</summary>
    /// <param name="key">The number.</param>
    /// <param name="value">One CBOR item. If the number is not negative, a map with at least one entry.</param>
    /// <exception cref="ArgumentException"><see cref="ProblemDetails"/> has a property for the number, or the value is not such an item.</exception>
    public ProblemEntry(long key, ReadOnlyMemory<byte> value)
    {
        if (key is < 0 and >= ProblemDetails.LastKnownKey)
        {
            throw new ArgumentException($"Entry {key} must be set with its own property of ProblemDetails.", nameof(key));
        }
        ThrowUnlessItem(value, isMap: key >= 0);
        (Number, Value) = (key, value);
    }

    /// <summary>Creates an entry with a URI.</summary>
    /// <param name="uri">An absolute URI under the control of those who define the entry.</param>
    /// <param name="value">A CBOR map with at least one entry.</param>
    /// <exception cref="ArgumentException">The URI is not absolute, or the value is not such a map.</exception>
    public ProblemEntry(string uri, ReadOnlyMemory<byte> value)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        if (!System.Uri.IsWellFormedUriString(uri, UriKind.Absolute)) { throw new ArgumentException($"'{uri}' is not an absolute URI.", nameof(uri)); }
        ThrowUnlessItem(value, isMap: true);
        (Uri, Value) = (uri, value);
    }

    internal ProblemEntry(long? number, string? uri, ReadOnlyMemory<byte> value) => (Number, Uri, Value) = (number, uri, value);

    /// <summary>The number, if the key is one.</summary>
    public long? Number { get; }

    /// <summary>The URI, if the key is one. It must not be dereferenced (RFC 9290, section 3.2).</summary>
    public string? Uri { get; }

    /// <summary>One CBOR item.</summary>
    public ReadOnlyMemory<byte> Value { get; }

    /// <summary>Whether key and value are equal.</summary>
    public bool Equals(ProblemEntry? other) =>
        other is not null && Number == other.Number && Uri == other.Uri && Value.Span.SequenceEqual(other.Value.Span);

    /// <inheritdoc/>
    public override int GetHashCode() =>
        SeededHash.Combine(SeededComparer<(long?, string?)>.Default.GetHashCode((Number, Uri)), Value.Length);

    private static void ThrowUnlessItem(ReadOnlyMemory<byte> value, bool isMap)
    {
        var reader = new CborReader(value.Span);
        if (!reader.TrySkip() || !reader.IsAtEnd)
        {
            throw new ArgumentException("The value is not exactly one CBOR item, or it is nested too deeply.", nameof(value));
        }
        if (isMap && (value.Span[0] >> 5 != (int)CborKind.Map || value.Span[0] == 0xA0))
        {
            throw new ArgumentException("The value is not a CBOR map with at least one entry (RFC 9290, section 2).", nameof(value));
        }
    }
}
