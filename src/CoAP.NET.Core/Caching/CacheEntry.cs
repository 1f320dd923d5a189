namespace CoAP.Caching;

/// <summary>One stored response and its place in the cache.</summary>
internal sealed class CacheEntry(CacheKey key, CacheKey resource, StoredResponse response, long storedAt)
{
    // The objects around the bytes: entry, keys, options, tables.
    private const int Overhead = 512;

    public CacheKey Key => key;

    public CacheKey Resource => resource;

    public StoredResponse Response => response;

    /// <summary>Bytes, about.</summary>
    public long Size { get; } = Overhead + key.Length + resource.Length + response.Options.Wire.Length + response.Payload.Length;

    /// <summary>Whether something has changed the resource since, as far as this cache saw (RFC 7252, section 5.9.1).</summary>
    public bool IsOutdated { get; set; }

    /// <summary>How long ago it was received or confirmed, in ticks.</summary>
    public long Age(long now) => Math.Max(now - storedAt, 0);

    /// <summary>Whether it may be used without asking: not after its age is greater than Max-Age (RFC 7252, section 5.6.1); never with a Max-Age of zero.</summary>
    public bool IsFresh(long now) => !IsOutdated && response.MaxAge > 0 && Age(now) <= response.MaxAge * TimeSpan.TicksPerSecond;
}
