using System.Globalization;

namespace CoAP.Discovery;

/// <summary>A link to a resource, with attributes (RFC 6690, section 2).</summary>
/// <remarks>Immutable and safe for concurrent use. Two links are equal if target and attributes are equal, in the same order.</remarks>
public sealed record WebLink
{
    private const string ImpliedRelation = "hosts";
    private const int BytesOfLink = 64;         // with its place in a list and the header of its attributes
    private const int BytesOfAttribute = 16;
    private const int BytesOfText = 24;

    private readonly LinkAttribute[] _attributes;

    /// <summary>Creates a link.</summary>
    /// <param name="target">A URI reference, such as "/sensors/temperature".</param>
    /// <param name="attributes">The attributes in the order in which they are written.</param>
    /// <exception cref="ArgumentException">The target or an attribute cannot be written, or an attribute is repeated that must not be.</exception>
    public WebLink(string target, params ReadOnlySpan<LinkAttribute> attributes)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (target.AsSpan().ContainsAny(LinkSyntax.NotTarget))
        {
            throw new ArgumentException($"The target \"{target}\" contains a character that must be percent-encoded.", nameof(target));
        }
        var seen = 0;
        foreach (var (name, value) in attributes)
        {
            if (!LinkSyntax.IsName(name)) { throw new ArgumentException($"\"{name}\" is not a valid attribute name.", nameof(attributes)); }
            if (value.AsSpan().ContainsAny(LinkSyntax.NotValue))
            {
                throw new ArgumentException($"The attribute \"{name}\" contains a control character.", nameof(attributes));
            }
            var bit = LinkSyntax.BitOfSingle(name);
            if ((seen & bit) != 0)
            {
                throw new ArgumentException($"The attribute \"{name}\" is repeated; a link may have it only once.", nameof(attributes));
            }
            seen |= bit;
        }
        Target = target;
        _attributes = attributes.ToArray();
    }

    /// <summary>Creates a link from parts that were validated before.</summary>
    internal WebLink(string target, List<LinkAttribute> attributes) => (Target, _attributes) = (target, [.. attributes]);

    /// <summary>The URI reference between the angle brackets. <see cref="CoapUri.Resolve"/> converts it to a URI.</summary>
    public string Target { get; }

    /// <summary>The attributes in the order of the link.</summary>
    public IReadOnlyList<LinkAttribute> Attributes => _attributes;

    /// <summary>The types of the resource, "rt" (RFC 6690, section 3.1).</summary>
    public IReadOnlyList<string> ResourceTypes => Split("rt");

    /// <summary>The interfaces of the resource, "if" (RFC 6690, section 3.2).</summary>
    public IReadOnlyList<string> Interfaces => Split("if");

    /// <summary>The relations of the target to the context, "rel". Default: "hosts" (RFC 6690, section 2.2).</summary>
    public IReadOnlyList<string> Relations => Has("rel") ? Split("rel") : [ImpliedRelation];

    /// <summary>The Content-Formats that the resource offers, "ct". Values that are not numbers are ignored (RFC 7252, section 7.2.1).</summary>
    public IReadOnlyList<uint> ContentFormats =>
        [.. Split("ct").Select(text => ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var id) ? id : -1)
            .Where(id => id >= 0).Select(id => (uint)id)];

    /// <summary>The size of the largest representation in bytes, "sz", or <see langword="null"/> if it is unknown (RFC 6690, section 3.3).</summary>
    public long? Size => long.TryParse(this["sz"], NumberStyles.None, CultureInfo.InvariantCulture, out var size) ? size : null;

    /// <summary>Whether the resource is useful to observe, "obs" (RFC 7641, section 6).</summary>
    public bool IsObservable => Has("obs");

    /// <summary>The human-readable title: that of "title*" if it is valid, otherwise that of "title".</summary>
    public string? Title => ExtendedValue.TryRead(this["title*"], out var title) ? title : this["title"];

    /// <summary>The context of the link if it is not the server itself, "anchor" (RFC 6690, section 2.1).</summary>
    public string? Anchor => this["anchor"];

    /// <summary>The value of the first attribute with this name, or <see langword="null"/> if there is none or it has no value.</summary>
    public string? this[string name] => Array.Find(_attributes, attribute => attribute.Name == name).Value;

    /// <summary>Returns whether the link has an attribute with this name, with or without a value.</summary>
    public bool Has(string name) => Array.Exists(_attributes, attribute => attribute.Name == name);

    /// <summary>About how much memory the link takes, in bytes.</summary>
    internal long Memory
    {
        get
        {
            var bytes = BytesOfLink + MemoryOf(Target);
            foreach (var (name, value) in _attributes) { bytes += BytesOfAttribute + MemoryOf(name) + MemoryOf(value); }
            return bytes;
        }
    }

    /// <summary>Whether target and attributes are equal.</summary>
    public bool Equals(WebLink? other) =>
        other is not null && Target == other.Target && _attributes.AsSpan().SequenceEqual(other._attributes);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(Target);
        foreach (var attribute in _attributes) { hash.Add(attribute); }
        return hash.ToHashCode();
    }

    /// <summary>Returns the link in the link format.</summary>
    public override string ToString() => LinkWriter.Append(new(), this).ToString();

    private static long MemoryOf(string? text) => string.IsNullOrEmpty(text) ? 0 : BytesOfText + ((long)sizeof(char) * text.Length);

    private string[] Split(string name) => this[name]?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
}
