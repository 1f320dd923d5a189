using CoAP.Resources;

namespace CoAP.Freshness;

/// <summary>The greatest age of the requests that a resource handles.</summary>
internal sealed class RequiredFreshness(TimeSpan maxAge) : ResourceFeature
{
    public TimeSpan MaxAge => maxAge;

    // Most maps require no freshness, and then the request is not routed here.
    /// <summary>Returns the greatest age that a request may have, or <see langword="null"/> if its resource does not limit it.</summary>
    public static TimeSpan? MaxAgeOf(IncomingRequest request, ResourceMap? resources) =>
        resources?.Features.Find<Use>() is null ? null : resources.Match(request.Options)?.Features.Find<RequiredFreshness>()?.MaxAge;

    /// <summary>Marks a map that holds or has held a resource that requires fresh requests.</summary>
    public sealed class Use : ResourceFeature;
}
