using CoAP.Problems;

namespace CoAP;

/// <summary>An entry of problem details that is the application's, or that this library does not know (RFC 9290, section 3).</summary>
public sealed record ProblemEntry
{
    /// <summary>Makes an entry with a number: from 0 on those that applications have registered, below 0 those for all.</summary>
    /// <param name="key">The number.</param>
    /// <param name="value">One CBOR item; a map with at least one entry where the number is not negative.</param>
    /// <exception cref="ArgumentException">The number is one that <see cref="ProblemDetails"/> has a property for, or the value no such item.</exception>
    public ProblemEntry(long key, ReadOnlyMemory<byte> value)
    {
        if (key is < 0 and >= ProblemDetails.LastKnownKey) { throw new ArgumentException($"Entry {key} is a property of the problem details.", nameof(key)); }
        ThrowUnlessItem(value, isMap: key >= 0);
        (Number, Value) = (key, value);
    }

    /// <summary>Makes an entry that a URI names.</summary>
    /// <param name="uri">An absolute URI that whoever defines the entry is in charge of.</param>
    /// <param name="value">A CBOR map with at least one entry.</param>
    /// <exception cref="ArgumentException">The URI is not absolute, or the value no such map.</exception>
    public ProblemEntry(string uri, ReadOnlyMemory<byte> value)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        if (!System.Uri.IsWellFormedUriString(uri, UriKind.Absolute)) { throw new ArgumentException($"'{uri}' is no absolute URI.", nameof(uri)); }
        ThrowUnlessItem(value, isMap: true);
        (Uri, Value) = (uri, value);
    }

    private ProblemEntry(long? number, string? uri, ReadOnlyMemory<byte> value) => (Number, Uri, Value) = (number, uri, value);

    /// <summary>The number, if that is its key.</summary>
    public long? Number { get; }

    /// <summary>The URI, if that is its key. Not to be dereferenced (RFC 9290, section 3.2).</summary>
    public string? Uri { get; }

    /// <summary>One CBOR item.</summary>
    public ReadOnlyMemory<byte> Value { get; }

    /// <summary>Whether both have the same key and bytes.</summary>
    public bool Equals(ProblemEntry? other) =>
        other is not null && Number == other.Number && Uri == other.Uri && Value.Span.SequenceEqual(other.Value.Span);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Number, Uri, Value.Length);

    internal static ProblemEntry Received(long? number, string? uri, ReadOnlyMemory<byte> value) => new(number, uri, value);

    private static void ThrowUnlessItem(ReadOnlyMemory<byte> value, bool isMap)
    {
        var reader = new CborReader(value.Span);
        if (!reader.TrySkip() || !reader.IsAtEnd) { throw new ArgumentException("The value is not one CBOR item, or too deep.", nameof(value)); }
        if (isMap && (value.Span[0] >> 5 != (int)CborKind.Map || value.Span[0] == 0xA0))
        {
            throw new ArgumentException("The value is no CBOR map with an entry (RFC 9290, section 2).", nameof(value));
        }
    }
}
