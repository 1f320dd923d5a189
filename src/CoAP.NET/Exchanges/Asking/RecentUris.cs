namespace CoAP.Exchanges;

/// <summary>Parses the URIs of requests, and keeps recent ones: most programs ask for the same resources again and again.</summary>
/// <remarks>Safe for concurrent use. A place is replaced as a whole, and two URIs with the same place replace each other.</remarks>
internal static class RecentUris
{
    /// <summary>The largest number of URIs that are kept, a power of two.</summary>
    public const int Places = 1024;

    /// <summary>The length of the longest URI that is kept, in characters.</summary>
    public const int MaxLength = 256;

    private static readonly Entry?[] Entries = new Entry?[Places];

    /// <inheritdoc cref="CoapUri.Parse"/>
    public static CoapUri Parse(string text)
    {
        if (text.Length > MaxLength) { return CoapUri.Parse(text); }
        ref var place = ref Entries[text.GetHashCode(StringComparison.Ordinal) & (Places - 1)];
        if (Volatile.Read(ref place) is { } entry && entry.Text == text) { return entry.Uri; }
        var uri = CoapUri.Parse(text);
        // The number of a zone changes when its interface is removed and added again.
        if (uri.Zone is null) { Volatile.Write(ref place, new Entry(text, uri)); }
        return uri;
    }

    private sealed record Entry(string Text, CoapUri Uri);
}
