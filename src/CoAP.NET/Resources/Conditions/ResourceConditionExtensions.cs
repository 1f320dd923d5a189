using CoAP.Options;
using CoAP.Resources;

namespace CoAP;

/// <summary>Declares how a resource handles conditional requests (RFC 7252, sections 5.10.6 and 5.10.8).</summary>
/// <remarks>
/// A request with If-Match or If-None-Match gets 4.02 (Bad Option) if its resource declares nothing. Otherwise the handler could overwrite what the client
/// wanted to protect.
/// </remarks>
public static class ResourceConditionExtensions
{
    /// <summary>Lets the library evaluate conditions with the entity tag of the resource.</summary>
    /// <remarks>
    /// <para>A request whose If-Match or If-None-Match does not hold gets 4.12 (Precondition Failed). GET and FETCH with the current tag get 2.03 (Valid).
    /// The handler is not called for them. A 2.05 (Content) without an ETag gets the tag.</para>
    /// <para>For each path, requests other than GET and FETCH run one at a time, each from the comparison of the tag to the end of its handler. Clients take
    /// turns. The tag and the state behind it must therefore change only in these handlers, or together.</para>
    /// <para>If a resource has several formats, return a different tag for each. The Accept option of the request tells the format.</para>
    /// <para>A 2.03 (Valid) replaces the Max-Age of the representation that the client has (RFC 7252, section 5.9.1.3). If the handler sends one, pass the
    /// same here. Otherwise, the representation becomes stale 60 s after its validation.</para>
    /// </remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="tag">Returns the current entity tag, or <see langword="null"/> if the resource does not exist at this path. May be called from several
    /// threads at the same time. It is called where the handler is: it must not block if the handler is inline. If it awaits, the handler
    /// runs on the thread pool, even a buffered one.</param>
    /// <param name="maxAge">The time for which a representation may be reused, in whole seconds, rounded down: the Max-Age of each 2.03 (Valid), and of a
    /// 2.05 (Content) without one. Default: no Max-Age option, which means 60 s (RFC 7252, section 5.10.5).</param>
    /// <exception cref="InvalidOperationException">The resource has declared how it handles conditions.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static Resource WithTag(this Resource resource, Func<IncomingRequest, CancellationToken, ValueTask<ETag?>> tag, TimeSpan? maxAge = null)
    {
        ArgumentNullException.ThrowIfNull(resource);
        ArgumentNullException.ThrowIfNull(tag);
        return resource.Declare(new ResourceConditions(tag, maxAge is { } time ? Response.MaxAgeOf(time, nameof(maxAge)) : null));
    }

    /// <summary>Lets the library evaluate conditions with the entity tag of the resource, which a synchronous function returns.</summary>
    /// <inheritdoc cref="WithTag(Resource, Func{IncomingRequest, CancellationToken, ValueTask{ETag}}, TimeSpan?)" path="/remarks|/param|/exception"/>
    public static Resource WithTag(this Resource resource, Func<IncomingRequest, ETag?> tag, TimeSpan? maxAge = null)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return resource.WithTag((request, _) => new(tag(request)), maxAge);
    }

    /// <summary>Declares that the handlers evaluate If-Match, If-None-Match and ETag. The library passes requests with them on.</summary>
    /// <param name="resource">The resource.</param>
    /// <exception cref="InvalidOperationException">The resource has declared how it handles conditions.</exception>
    public static Resource HandlesConditions(this Resource resource)
    {
        ArgumentNullException.ThrowIfNull(resource);
        return resource.Declare(ResourceConditions.OfHandlers);
    }
}
