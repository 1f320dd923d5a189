namespace CoAP.Caching;

/// <summary>A stored response and its place in the cache.</summary>
/// <param name="key">The form of request that it answers.</param>
/// <param name="response">The response.</param>
/// <param name="storedAt">The time when it was received or confirmed.</param>
/// <param name="lifetime">The time in ticks for which it is fresh: Max-Age, or less for an error.</param>
internal sealed class CacheEntry(CacheKey key, StoredResponse response, long storedAt, long lifetime)
{
    // The overhead of entry, keys, options and tables.
    private const int Overhead = 512;

    public CacheKey Key => key;

    public CacheKey Resource => key.Resource!;

    public StoredResponse Response => response;

    /// <summary>The approximate size in bytes.</summary>
    public long Size { get; } = Overhead + key.Length + key.Resource!.Length + response.Options.Wire.Length + response.Payload.Length;

    /// <summary>Whether a later request through this cache has changed the resource (RFC 7252, section 5.9.1).</summary>
    public bool IsOutdated { get; set; }

    /// <summary>Returns the time in ticks since the response was received or confirmed.</summary>
    public long Age(long now) => Math.Max(now - storedAt, 0);

    /// <summary>Returns whether the response may be used without validation: its age is at most Max-Age, which is not zero (RFC 7252, section 5.6.1).</summary>
    public bool IsFresh(long now) => !IsOutdated && lifetime > 0 && Age(now) <= lifetime;
}
