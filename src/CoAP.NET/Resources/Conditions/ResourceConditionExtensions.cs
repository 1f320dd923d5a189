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
    /// </remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="tag">Returns the current entity tag, or <see langword="null"/> if the resource does not exist at this path. May be called from several
    /// threads at the same time. It is called where the handler is: it must not block if the handler is inline.</param>
    /// <exception cref="InvalidOperationException">The resource has declared how it handles conditions.</exception>
    public static Resource WithTag(this Resource resource, Func<IncomingRequest, CancellationToken, ValueTask<ETag?>> tag)
    {
        ArgumentNullException.ThrowIfNull(resource);
        ArgumentNullException.ThrowIfNull(tag);
        return resource.Declare(new ResourceConditions(tag));
    }

    /// <summary>Lets the library evaluate conditions with the entity tag of the resource, which a synchronous function returns.</summary>
    /// <inheritdoc cref="WithTag(Resource, Func{IncomingRequest, CancellationToken, ValueTask{ETag}})" path="/remarks|/param|/exception"/>
    public static Resource WithTag(this Resource resource, Func<IncomingRequest, ETag?> tag)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return resource.WithTag((request, _) => new(tag(request)));
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
