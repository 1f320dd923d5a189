using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Resources;

/// <summary>The result of routing a request: the handler of a resource, or an error response.</summary>
internal sealed class Dispatch : RequestRoute
{
    private const int ContentFormatNumber = 12;
    private const int AcceptNumber = 17;

    private static readonly CoapResponse MethodNotAllowed = new(ResponseCode.MethodNotAllowed);
    private static readonly CoapResponse UnsupportedContentFormat = new(ResponseCode.UnsupportedContentFormat);
    private static readonly CoapResponse NoIfMatch = NoCondition(IfMatch.Declaration);
    private static readonly CoapResponse NoIfNoneMatch = NoCondition(IfNoneMatch.Declaration);

    private static readonly ulong ProxyBits = OptionNumber.SeenBit(ProxyUri.Declaration.Number) | OptionNumber.SeenBit(ProxyScheme.Declaration.Number);

    private static readonly Dispatch NoProxy = new(null, null, new(ResponseCode.ProxyingNotSupported));
    private static readonly Dispatch NoResources = new(null, null, new(ResponseCode.NotImplemented));
    private static readonly Dispatch NoResource = new(null, null, Response.NotFound);
    private static readonly Dispatch NoSuchMethod = new(null, null, MethodNotAllowed);

    private Dispatch(Resource? resource, Handler? handler, CoapResponse? refusal) => (Resource, Handler, Refusal) = (resource, handler, refusal);

    /// <summary>The result if the request was not routed.</summary>
    public static Dispatch None { get; } = new(null, null, null);

    /// <summary>The resource; <see langword="null"/> if no template matches.</summary>
    public Resource? Resource { get; }

    public override string? Template => Resource?.Template;

    /// <summary>The handler; <see langword="null"/> if the result is <see cref="Refusal"/>.</summary>
    public Handler? Handler { get; }

    /// <summary>The error response; <see langword="null"/> if there is a handler.</summary>
    public CoapResponse? Refusal { get; }

    /// <summary>Routes a request: checks path, method, Content-Format, Accept and conditions, in this order.</summary>
    /// <param name="request">The request. A request for a proxy gets 5.05, unless a step answers it (RFC 7252, section 5.7.2).</param>
    /// <param name="map">The resources; <see langword="null"/> if the endpoint has none.</param>
    public static Dispatch For(CoapMessage request, ResourceMap? map)
    {
        var options = request.Options;
        if ((options.Seen & ProxyBits) != 0) { return NoProxy; }
        if (map is null) { return NoResources; }
        if (map.Match(options) is not { } resource) { return IsDefined(request.Code) ? NoResource : NoSuchMethod; }
        if (resource.Find(request.Code) is not { } handler) { return resource.Dispatches.Refused(MethodNotAllowed); }
        if (!request.Payload.IsEmpty && request.Code.MayHavePayload
            && TryRead(options, ContentFormatNumber, out var format) && !resource.Description.IsConsumed(format))
        {
            return resource.Dispatches.Refused(UnsupportedContentFormat);
        }
        if (TryRead(options, AcceptNumber, out var accept) && !resource.Description.IsProduced(accept)) { return resource.Dispatches.Refused(Response.NotAcceptable); }
        if (ResourceConditions.AreIn(options) && resource.Conditions is null)
        {
            return resource.Dispatches.Refused(options.Contains<IfMatch>() ? NoIfMatch : NoIfNoneMatch);
        }
        return resource.Dispatches.To(handler);
    }

    /// <summary>
    /// The routing results of one resource. Each is created once. Safe for concurrent use: if two threads create one at the same time, both are equal.
    /// </summary>
    internal sealed class Table(Resource resource)
    {
        private readonly Resource _resource = resource;
        private volatile Dispatch[] _made = [];

        public Dispatch To(Handler handler) => Get(handler, null);

        public Dispatch Refused(CoapResponse refusal) => Get(null, refusal);

        private Dispatch Get(Handler? handler, CoapResponse? refusal)
        {
            foreach (var made in _made)
            {
                if (ReferenceEquals(made.Handler, handler) && ReferenceEquals(made.Refusal, refusal)) { return made; }
            }
            var added = new Dispatch(_resource, handler, refusal);
            _made = [.. _made, added];
            return added;
        }
    }

    public override string GetValue(string name, in OptionSet options) => Resource is { } resource
        ? resource.Route.GetValue(name, options)
        : throw new InvalidOperationException($"The request was not routed to a resource, so it has no value '{name}'.");

    // Both options are critical. If the handler ignored them, it would overwrite what the client wants to protect (RFC 7252, section 5.4.1).
    private static CoapResponse NoCondition(OptionDeclaration option) =>
        Response.BadOption(option.Number, $"Option {option.Number} ({option.Name}) is critical, and this resource does not evaluate conditions.");

    // RFC 7252, section 5.8, and RFC 8132, section 1.1. Any other method gets 4.05 even if there is no resource.
    private static bool IsDefined(CoapCode method) => method.Value <= RequestCode.IPatch.Value;

    // An option with a wrong length counts as absent (RFC 7252, section 5.4.3).
    private static bool TryRead(in OptionSet options, int number, out uint value)
    {
        value = 0;
        if (!options.TryGetValue(number, out var bytes) || bytes.Length > sizeof(ushort)) { return false; }
        foreach (var octet in bytes) { value = (value << 8) | octet; }
        return true;
    }
}
