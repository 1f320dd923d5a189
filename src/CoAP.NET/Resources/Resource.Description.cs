namespace CoAP;

/// <content>What the resource says about itself: the formats it takes and gives, and its entry in "/.well-known/core".</content>
public sealed partial class Resource
{
    private const uint MaxContentFormat = ushort.MaxValue;

    private uint[]? _consumed;
    private uint[]? _produced;
    private LinkDescription _link = new();
    private volatile bool _isHidden;

    /// <summary>The attributes of the link; immutable.</summary>
    internal LinkDescription Link => Volatile.Read(ref _link);

    /// <summary>Whether the resource is left out of discovery.</summary>
    internal bool IsHidden => _isHidden;

    /// <summary>The formats that <see cref="Produces"/> named; none where it was not called.</summary>
    internal ReadOnlySpan<uint> Produced => Volatile.Read(ref _produced);

    /// <summary>
    /// Has a payload of any other Content-Format than these answered with 4.15 (Unsupported Content-Format), whatever the method.
    /// </summary>
    /// <remarks>A payload without a Content-Format is let through: its format is indeterminate, and the application has to infer it
    /// (RFC 7252, section 5.5.1). So is a Content-Format without a payload, which describes nothing. A further call replaces the formats.</remarks>
    /// <exception cref="ArgumentException">There is no format, or one over 65,535.</exception>
    public Resource Consumes(params ReadOnlySpan<uint> contentFormats)
    {
        Volatile.Write(ref _consumed, Checked(contentFormats));
        return this;
    }

    /// <summary>Has a request whose Accept option is none of these formats answered with 4.06 (Not Acceptable), whatever the method, and
    /// names the formats in discovery.</summary>
    /// <remarks>A request without an Accept option has no preference (RFC 7252, section 5.10.4). A further call replaces the
    /// formats.</remarks>
    /// <exception cref="ArgumentException">There is no format, or one over 65,535.</exception>
    public Resource Produces(params ReadOnlySpan<uint> contentFormats)
    {
        Volatile.Write(ref _produced, Checked(contentFormats));
        _map.Touch();
        return this;
    }

    /// <summary>Sets attributes of the link in "/.well-known/core"; those that are not given stay as they are.</summary>
    /// <param name="rt">Resource types, separated by blanks (RFC 6690, section 3.1).</param>
    /// <param name="interfaceDescription">Interface descriptions, "if", separated by blanks (RFC 6690, section 3.2).</param>
    /// <param name="title">A title for people (RFC 8288, section 3.4.1).</param>
    /// <param name="ct">Content-Formats separated by blanks, instead of those that <see cref="Produces"/> names
    /// (RFC 7252, section 7.2.1).</param>
    /// <param name="sz">An estimate of the representation's size in bytes (RFC 6690, section 3.3).</param>
    /// <param name="obs">Whether observing the resource makes sense (RFC 7641, section 6).</param>
    /// <exception cref="ArgumentException">A value is empty or holds control characters.</exception>
    public Resource WithLink(
        string? rt = null, string? interfaceDescription = null, string? title = null, string? ct = null, long? sz = null, bool? obs = null)
    {
        ThrowUnlessText(rt, nameof(rt));
        ThrowUnlessText(interfaceDescription, nameof(interfaceDescription));
        ThrowUnlessText(title, nameof(title));
        ThrowUnlessText(ct, nameof(ct));
        if (sz is { } size) { ArgumentOutOfRangeException.ThrowIfNegative(size, nameof(sz)); }
        for (var before = Link; ;)
        {
            var after = new LinkDescription(
                rt ?? before.ResourceType, interfaceDescription ?? before.Interface, title ?? before.Title, ct ?? before.ContentFormats,
                sz ?? before.Size, obs ?? before.IsObservable);
            var met = Interlocked.CompareExchange(ref _link, after, before);
            if (ReferenceEquals(met, before)) { break; }
            before = met;
        }
        _map.Touch();
        return this;
    }

    /// <summary>Leaves the resource out of "/.well-known/core"; it is answered all the same.</summary>
    public Resource Hidden()
    {
        _isHidden = true;
        _map.Touch();
        return this;
    }

    internal bool IsConsumed(uint contentFormat) => IsAmong(Volatile.Read(ref _consumed), contentFormat);

    internal bool IsProduced(uint contentFormat) => IsAmong(Volatile.Read(ref _produced), contentFormat);

    private static bool IsAmong(uint[]? formats, uint contentFormat) => formats is null || formats.AsSpan().Contains(contentFormat);

    private static uint[] Checked(ReadOnlySpan<uint> contentFormats)
    {
        if (contentFormats.IsEmpty) { throw new ArgumentException("At least one Content-Format has to be named.", nameof(contentFormats)); }
        foreach (var format in contentFormats)
        {
            if (format > MaxContentFormat)
            {
                throw new ArgumentOutOfRangeException(nameof(contentFormats), format, $"Content-Formats go up to {MaxContentFormat}.");
            }
        }
        return contentFormats.ToArray();
    }

    private static void ThrowUnlessText(string? value, string name)
    {
        if (value is null) { return; }
        ArgumentException.ThrowIfNullOrWhiteSpace(value, name);
        if (value.Any(char.IsControl)) { throw new ArgumentException($"Attribute '{name}' holds a control character.", name); }
    }

    /// <summary>The attributes that were set.</summary>
    internal sealed record LinkDescription(
        string? ResourceType = null,
        string? Interface = null,
        string? Title = null,
        string? ContentFormats = null,
        long? Size = null,
        bool IsObservable = false);
}
