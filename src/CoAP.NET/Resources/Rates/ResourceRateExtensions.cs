namespace CoAP;

/// <summary>Limits how many requests a client may send to a resource.</summary>
public static class ResourceRateExtensions
{
    /// <summary>Limits the requests of each account to the resource. One more gets 4.29 with the time to wait in Max-Age (RFC 8516).</summary>
    /// <param name="resource">The resource. All its methods and paths count together.</param>
    /// <param name="limit">The limit. <see cref="CoapServerSettings.RateLimit"/> applies as well.</param>
    /// <exception cref="InvalidOperationException">The resource has a limit already.</exception>
    public static Resource LimitRate(this Resource resource, RateLimit limit)
    {
        ArgumentNullException.ThrowIfNull(limit);
        return resource.Declare(new Resources.RateLimiter(limit));
    }
}
