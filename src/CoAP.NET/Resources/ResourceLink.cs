namespace CoAP.Resources;

/// <summary>The attributes of a resource's link in "/.well-known/core" (RFC 6690, section 3). Immutable.</summary>
internal sealed record ResourceLink(
    string? ResourceType = null,
    string? Interface = null,
    string? Title = null,
    string? ContentFormats = null,
    long? Size = null,
    bool IsObservable = false);
