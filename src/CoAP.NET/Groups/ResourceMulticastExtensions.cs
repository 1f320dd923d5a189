using CoAP.Groups;

namespace CoAP;

/// <summary>Lets a resource handle requests that were sent to a group (RFC 7252, section 8).</summary>
public static class ResourceMulticastExtensions
{
    /// <summary>Handles multicast requests, which are ignored without this call (RFC 7252, section 8.2). A further call replaces the earlier one.</summary>
    /// <param name="resource">The resource.</param>
    /// <param name="answers">The responses that are sent; the others are suppressed.</param>
    /// <param name="methods">The methods to handle. Default: GET and FETCH. Any host can forge a multicast request, so avoid methods that change state.</param>
    /// <exception cref="ArgumentException">A code is not a method, or <paramref name="answers"/> is not a defined value.</exception>
    public static Resource AnswersMulticast(
        this Resource resource, MulticastAnswers answers = MulticastAnswers.Useful, params ReadOnlySpan<CoapCode> methods)
    {
        if (!Enum.IsDefined(answers)) { throw new ArgumentOutOfRangeException(nameof(answers), answers, "The value is not defined."); }
        resource.Features.Set(new MulticastRule(answers, methods));
        return resource;
    }

    /// <summary>Returns <see langword="true"/> if the resource handles multicast requests with a method.</summary>
    internal static bool TakesMulticast(this Resource resource, CoapCode method) => resource.Features.Find<MulticastRule>()?.Allows(method) == true;
}
