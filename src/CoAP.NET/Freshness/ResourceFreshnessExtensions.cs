using CoAP.Freshness;

namespace CoAP;

/// <summary>Protects a resource from requests that were delayed or replayed (RFC 9175, section 2).</summary>
public static class ResourceFreshnessExtensions
{
    /// <summary>
    /// Handles only requests that were sent within this time, whatever their method. Any other request gets a 4.01 with an Echo option, and
    /// the client repeats the request with that option (RFC 9175, section 2.3). A further call replaces the age.
    /// </summary>
    /// <param name="resource">The resource.</param>
    /// <param name="maxAge">The greatest age of a request. Echo values always expire after twice <see cref="FreshnessSettings.KeyLifetime"/>.</param>
    /// <remarks>
    /// Each block of a block-wise request has to be fresh. Without DTLS, TLS or OSCORE an Echo option proves only that the client receives
    /// what is sent to its address (RFC 9175, section 2.3).
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxAge"/> is not positive.</exception>
    public static Resource RequiresFreshness(this Resource resource, TimeSpan maxAge)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(maxAge, TimeSpan.Zero);
        resource.Features.Set(new RequiredFreshness(maxAge));
        resource.Map.Features.TryAdd(new RequiredFreshness.Use());
        return resource;
    }
}
