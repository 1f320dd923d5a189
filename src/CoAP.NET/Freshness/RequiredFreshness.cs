using CoAP.Resources;

namespace CoAP.Freshness;

/// <summary>The greatest age of the requests that a resource handles.</summary>
internal sealed class RequiredFreshness(TimeSpan maxAge) : ResourceFeature
{
    public TimeSpan MaxAge => maxAge;

    /// <summary>Makes a resource require fresh requests.</summary>
    public static void Set(Resource resource, TimeSpan maxAge)
    {
        resource.Features.Set(new RequiredFreshness(maxAge));
        resource.Map.Features.TryAdd(new Use());
    }

    // Most maps require no freshness, and then the request is not routed here.
    /// <summary>Returns the greatest age that a request may have, or <see langword="null"/> if its resource does not limit it.</summary>
    public static TimeSpan? MaxAgeOf(IncomingRequest request, ResourceMap? resources) =>
        resources?.Features.Find<Use>() is null ? null : resources.Match(request.Options)?.Features.Find<RequiredFreshness>()?.MaxAge;

    /// <summary>Marks a map that holds or has held a resource that requires fresh requests.</summary>
    private sealed class Use : ResourceFeature;
}
