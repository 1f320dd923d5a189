namespace CoAP.Resources;

/// <summary>The formats that a resource accepts and offers, and its link in "/.well-known/core". Safe for concurrent use.</summary>
internal sealed class ResourceDescription
{
    private const uint MaxContentFormat = ushort.MaxValue;

    private uint[]? _consumed;
    private uint[]? _produced;
    private ResourceLink _link = new();
    private volatile bool _isHidden;

    /// <summary>The attributes of the link.</summary>
    public ResourceLink Link => Volatile.Read(ref _link);

    /// <summary>Whether discovery leaves the resource out.</summary>
    public bool IsHidden { get => _isHidden; set => _isHidden = value; }

    /// <summary>The formats of representations; empty if the resource does not restrict them.</summary>
    public ReadOnlySpan<uint> Produced => Volatile.Read(ref _produced);

    /// <summary>Returns <see langword="true"/> if the resource accepts payloads of a format.</summary>
    public bool IsConsumed(uint contentFormat) => IsAmong(Volatile.Read(ref _consumed), contentFormat);

    /// <summary>Returns <see langword="true"/> if the resource offers representations of a format.</summary>
    public bool IsProduced(uint contentFormat) => IsAmong(Volatile.Read(ref _produced), contentFormat);

    /// <inheritdoc cref="Resource.Consumes"/>
    public void Consume(ReadOnlySpan<uint> contentFormats) => Volatile.Write(ref _consumed, Checked(contentFormats));

    /// <inheritdoc cref="Resource.Produces"/>
    public void Produce(ReadOnlySpan<uint> contentFormats) => Volatile.Write(ref _produced, Checked(contentFormats));

    /// <summary>Sets attributes of the link. Attributes that are <see langword="null"/> stay as they are.</summary>
    /// <exception cref="ArgumentException">A value is empty or contains control characters.</exception>
    public void SetLink(string? rt, string? interfaceDescription, string? title, string? ct, long? sz, bool? obs)
    {
        ThrowUnlessText(rt, nameof(rt));
        ThrowUnlessText(interfaceDescription, nameof(interfaceDescription));
        ThrowUnlessText(title, nameof(title));
        ThrowUnlessText(ct, nameof(ct));
        if (sz is { } size) { ArgumentOutOfRangeException.ThrowIfNegative(size, nameof(sz)); }
        for (var before = Link; ;)
        {
            var after = new ResourceLink(
                rt ?? before.ResourceType, interfaceDescription ?? before.Interface, title ?? before.Title, ct ?? before.ContentFormats,
                sz ?? before.Size, obs ?? before.IsObservable);
            var met = Interlocked.CompareExchange(ref _link, after, before);
            if (ReferenceEquals(met, before)) { return; }
            before = met;
        }
    }

    private static bool IsAmong(uint[]? formats, uint contentFormat) => formats is null || formats.AsSpan().Contains(contentFormat);

    private static uint[] Checked(ReadOnlySpan<uint> contentFormats)
    {
        if (contentFormats.IsEmpty) { throw new ArgumentException("Name at least one Content-Format.", nameof(contentFormats)); }
        foreach (var format in contentFormats)
        {
            if (format > MaxContentFormat)
            {
                throw new ArgumentOutOfRangeException(nameof(contentFormats), format, $"A Content-Format must be at most {MaxContentFormat}.");
            }
        }
        return contentFormats.ToArray();
    }

    private static void ThrowUnlessText(string? value, string name)
    {
        if (value is null) { return; }
        ArgumentException.ThrowIfNullOrWhiteSpace(value, name);
        if (value.Any(char.IsControl)) { throw new ArgumentException($"Attribute '{name}' contains a control character.", name); }
    }
}
