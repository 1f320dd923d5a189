using CoAP.Options;

namespace CoAP.Resources;

/// <summary>Where a request goes: to a handler, or to an answer that needs no user code.</summary>
/// <remarks>
/// Asked in this order: the path (4.04), the method (4.05), the payload's format (4.15), the wanted format (4.06). A wrong payload takes
/// precedence over a wrong wish, which RFC 7252, section 5.10.4, leaves open.
/// </remarks>
internal readonly struct Dispatch
{
    private const int ContentFormatNumber = 12;
    private const int AcceptNumber = 17;

    private static readonly CoapResponse MethodNotAllowed = new(ResponseCode.MethodNotAllowed);
    private static readonly CoapResponse UnsupportedContentFormat = new(ResponseCode.UnsupportedContentFormat);
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    private Dispatch(RouteMatch route, Handler? handler, CoapResponse? refusal) => (Route, Handler, Refusal) = (route, handler, refusal);

    /// <summary>The resource, if the path leads to one.</summary>
    public RouteMatch Route { get; }

    /// <summary>What answers the request; absent where it is refused.</summary>
    public Handler? Handler { get; }

    /// <summary>The answer to a request that is refused; shared between requests.</summary>
    public CoapResponse? Refusal { get; }

    /// <summary>Decides and allocates nothing.</summary>
    public static Dispatch For(CoapMessage request, ResourceMap map)
    {
        var options = request.Options;
        var route = map.Match(options);
        if (route.Resource is not { } resource) { return new(route, null, IsDefined(request.Code) ? Response.NotFound : MethodNotAllowed); }
        if (resource.Find(request.Code) is not { } handler) { return new(route, null, MethodNotAllowed); }
        if (!request.Payload.IsEmpty && request.Code.MayHavePayload && TryRead(options, ContentFormatNumber, out var format) && !resource.Description.IsConsumed(format))
        {
            return new(route, null, UnsupportedContentFormat);
        }
        if (TryRead(options, AcceptNumber, out var accept) && !resource.Description.IsProduced(accept)) { return new(route, null, NotAcceptable); }
        return new(route, handler, null);
    }

    // RFC 7252, section 5.8, and RFC 8132, section 1.1. Any other gets 4.05 even where there is nothing to find.
    private static bool IsDefined(CoapCode method) => method.Value <= RequestCode.IPatch.Value;

    // A value of a wrong length counts as an option that is not there (RFC 7252, section 5.4.3).
    private static bool TryRead(in OptionSet options, int number, out uint value)
    {
        value = 0;
        if (!options.TryGetValue(number, out var bytes) || bytes.Length > sizeof(ushort)) { return false; }
        foreach (var octet in bytes) { value = (value << 8) | octet; }
        return true;
    }
}
