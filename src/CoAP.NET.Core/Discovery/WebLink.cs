using System.Globalization;

namespace CoAP.Discovery;

/// <summary>A link to a resource, with what is said about it (RFC 6690, section 2).</summary>
/// <remarks>Immutable and safe for concurrent use. Equal where target and attributes are, in the same order.</remarks>
public sealed class WebLink : IEquatable<WebLink>
{
    private const string ImpliedRelation = "hosts";

    private readonly LinkAttribute[] _attributes;

    /// <summary>Makes a link.</summary>
    /// <param name="target">A URI reference, such as "/sensors/temperature".</param>
    /// <param name="attributes">What is said about it, in the order in which it is to be written.</param>
    /// <exception cref="ArgumentException">The target or an attribute cannot be written, or one that may occur once occurs twice.
    /// </exception>
    public WebLink(string target, params ReadOnlySpan<LinkAttribute> attributes)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (target.AsSpan().ContainsAny(LinkSyntax.NotTarget))
        {
            throw new ArgumentException($"The target \"{target}\" holds a character that has to be percent-encoded.", nameof(target));
        }
        var seen = 0;
        foreach (var (name, value) in attributes)
        {
            ThrowUnlessWritable(name, value);
            var bit = LinkSyntax.BitOfSingle(name);
            if ((seen & bit) != 0)
            {
                throw new ArgumentException($"The attribute \"{name}\" occurs twice; a link has it once.", nameof(attributes));
            }
            seen |= bit;
        }
        Target = target;
        _attributes = attributes.ToArray();
    }

    /// <summary>Takes what a reader has checked.</summary>
    internal WebLink(string target, List<LinkAttribute> attributes) => (Target, _attributes) = (target, [.. attributes]);

    /// <summary>The URI reference between the angle brackets; <see cref="CoapUri.Resolve"/> makes a URI of it.</summary>
    public string Target { get; }

    /// <summary>What is said about the target, in the order in which it was said.</summary>
    public IReadOnlyList<LinkAttribute> Attributes => _attributes;

    /// <summary>What the resource is, "rt" (RFC 6690, section 3.1).</summary>
    public IReadOnlyList<string> ResourceTypes => Split("rt");

    /// <summary>How the resource is used, "if" (RFC 6690, section 3.2).</summary>
    public IReadOnlyList<string> Interfaces => Split("if");

    /// <summary>How the target relates to the context, "rel"; "hosts" where nothing is said (RFC 6690, section 2.2).</summary>
    public IReadOnlyList<string> Relations => Has("rel") ? Split("rel") : [ImpliedRelation];

    /// <summary>The Content-Formats that the resource offers, "ct"; what is no number is left out (RFC 7252, section 7.2.1).</summary>
    public IReadOnlyList<uint> OfferedFormats =>
        [.. Split("ct").Select(text => ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var id) ? id : -1)
            .Where(id => id >= 0).Select(id => (uint)id)];

    /// <summary>The size of the largest representation in bytes, "sz"; <see langword="null"/> where unknown (RFC 6690, section 3.3).
    /// </summary>
    public long? Size => long.TryParse(this["sz"], NumberStyles.None, CultureInfo.InvariantCulture, out var size) ? size : null;

    /// <summary>Whether observing the resource makes sense, "obs" (RFC 7641, section 6).</summary>
    public bool IsObservable => Has("obs");

    /// <summary>The title for people: that of "title*" where it can be read, else that of "title".</summary>
    public string? Title => ExtendedValue.TryRead(this["title*"], out var title) ? title : this["title"];

    /// <summary>The context of the link where it is not the server itself, "anchor" (RFC 6690, section 2.1).</summary>
    public string? Anchor => this["anchor"];

    /// <summary>The value of the first attribute of this name; <see langword="null"/> where there is none, or one without a value.
    /// </summary>
    public string? this[string name]
    {
        get
        {
            foreach (var attribute in _attributes)
            {
                if (attribute.Name == name) { return attribute.Value; }
            }
            return null;
        }
    }

    /// <summary>Whether there is an attribute of this name, with or without a value.</summary>
    public bool Has(string name)
    {
        foreach (var attribute in _attributes)
        {
            if (attribute.Name == name) { return true; }
        }
        return false;
    }

    /// <summary>Whether both say the same.</summary>
    public bool Equals(WebLink? other) =>
        other is not null && Target == other.Target && _attributes.AsSpan().SequenceEqual(other._attributes);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as WebLink);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(Target);
        foreach (var attribute in _attributes) { hash.Add(attribute); }
        return hash.ToHashCode();
    }

    /// <summary>The link as the link format writes it.</summary>
    public override string ToString() => LinkWriter.Append(new(), this).ToString();

    private string[] Split(string name) => this[name]?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];

    private static void ThrowUnlessWritable(string? name, string? value)
    {
        if (!LinkSyntax.IsName(name)) { throw new ArgumentException($"\"{name}\" is no name of an attribute.", nameof(name)); }
        if (value.AsSpan().ContainsAny(LinkSyntax.NotValue))
        {
            throw new ArgumentException($"The attribute \"{name}\" holds a control character.", nameof(value));
        }
    }
}
