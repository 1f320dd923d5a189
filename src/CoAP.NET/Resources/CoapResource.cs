namespace CoAP;

/// <summary>The base class of resources. Override the methods that the resource supports. All others answer 4.05 (Method Not Allowed).</summary>
/// <remarks>Methods are called from several threads at the same time; see the remarks on <see cref="Resource"/>.</remarks>
public abstract class CoapResource
{
    private static readonly CoapResponse NotAllowed = new(ResponseCode.MethodNotAllowed);

    /// <summary>Answers GET (RFC 7252, section 5.8.1).</summary>
    protected virtual ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers POST (RFC 7252, section 5.8.2).</summary>
    protected virtual ValueTask<CoapResponse> PostAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers PUT (RFC 7252, section 5.8.3).</summary>
    protected virtual ValueTask<CoapResponse> PutAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers DELETE (RFC 7252, section 5.8.4).</summary>
    protected virtual ValueTask<CoapResponse> DeleteAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers FETCH (RFC 8132, section 2).</summary>
    protected virtual ValueTask<CoapResponse> FetchAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers PATCH (RFC 8132, section 3).</summary>
    protected virtual ValueTask<CoapResponse> PatchAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    /// <summary>Answers iPATCH (RFC 8132, section 3).</summary>
    protected virtual ValueTask<CoapResponse> IPatchAsync(IncomingRequest request, CancellationToken cancellationToken) => new(NotAllowed);

    // Maps all methods: only reflection, which trimming may break, could find the overridden ones.
    internal void MapTo(Resource resource, HandlerMode mode) =>
        resource.Get(GetAsync, mode).Post(PostAsync, mode).Put(PutAsync, mode).Delete(DeleteAsync, mode)
            .Fetch(FetchAsync, mode).Patch(PatchAsync, mode).IPatch(IPatchAsync, mode);

    internal static void MapTo(Resource resource, Func<IncomingRequest, CoapResource> create, HandlerMode mode)
    {
        resource
            .Get((request, cancellationToken) => For(request).GetAsync(request, cancellationToken), mode)
            .Post((request, cancellationToken) => For(request).PostAsync(request, cancellationToken), mode)
            .Put((request, cancellationToken) => For(request).PutAsync(request, cancellationToken), mode)
            .Delete((request, cancellationToken) => For(request).DeleteAsync(request, cancellationToken), mode)
            .Fetch((request, cancellationToken) => For(request).FetchAsync(request, cancellationToken), mode)
            .Patch((request, cancellationToken) => For(request).PatchAsync(request, cancellationToken), mode)
            .IPatch((request, cancellationToken) => For(request).IPatchAsync(request, cancellationToken), mode);

        CoapResource For(IncomingRequest request) => create(request) ?? throw new InvalidOperationException(
            $"The function that was mapped at '{resource.Template}' returned null instead of a resource.");
    }
}
