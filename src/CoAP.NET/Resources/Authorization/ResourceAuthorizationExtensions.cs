using CoAP.Resources;

namespace CoAP;

/// <summary>Lets authorizers decide which peers may use a resource.</summary>
public static class ResourceAuthorizationExtensions
{
    /// <summary>
    /// Calls an authorizer before the resource is used: before a request reaches steps and handlers, before the first block of a body is accepted, and
    /// before a client is registered as an observer. Once a decision has expired, the authorizer is called again for the next block or notification.
    /// </summary>
    /// <remarks>
    /// <para>All authorizers must allow a request: first those of the server, then those of the resource, in the order in which you added them. The
    /// first one that denies it determines the response. If an authorizer throws an exception, the response is 5.00, or the one of a
    /// <see cref="CoapResponseException"/>. You may add authorizers at any time. A new one decides about later requests.</para>
    /// <para>Authorizers are called on the thread of the lane, so they must not block. Await anything that takes time. If an asynchronous authorizer takes
    /// longer than <see cref="CoapEndpointSettings.AuthorizationTimeout"/>, the response is 5.03. A call that blocks the lane for more than 1 s is logged.</para>
    /// <para>Peers do not share notifications of this resource, unless it is
    /// <see cref="ResourceObservingExtensions.SharedByAll(Resource)"/>.</para>
    /// </remarks>
    /// <param name="resource">The resource.</param>
    /// <param name="authorizer">The authorizer. It may be called from several threads at the same time.</param>
    public static Resource Authorize(this Resource resource, Authorizer authorizer)
    {
        ArgumentNullException.ThrowIfNull(resource);
        ArgumentNullException.ThrowIfNull(authorizer);
        AuthorizerChain.AddTo(resource.Features, authorizer);
        resource.Map.Features.TryAdd(new AuthorizerChain());
        return resource;
    }

    /// <summary>Calls a synchronous authorizer before the resource is used.</summary>
    /// <inheritdoc cref="Authorize(Resource, Authorizer)" path="/remarks|/param"/>
    public static Resource Authorize(this Resource resource, Func<RequestHead, AuthorizationDecision> authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        return resource.Authorize((request, _) => new(authorizer(request)));
    }
}
