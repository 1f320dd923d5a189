using CoAP.Resources;

namespace CoAP;

/// <summary>
/// What is found under one path, or under the paths of one template: handlers for its methods, and what it says about itself.
/// </summary>
/// <remarks>
/// <para>Safe for concurrent use; handlers and attributes may be added while requests are answered. A method without a handler is answered
/// with 4.05 (Method Not Allowed).</para>
/// <para>Handlers are called from several threads at the same time, one call per request, and see requests of one peer in order only until
/// they first wait. What they share they have to guard themselves. An exception becomes a 5.00, a <see cref="CoapResponseException"/> the
/// response that it names.</para>
/// </remarks>
public sealed partial class Resource
{
    private const int MethodCodes = 32;

    private readonly Handler?[] _handlers = new Handler?[MethodCodes];
    private readonly ResourceMap _map;

    internal Resource(RouteTemplate route, ResourceMap map) => (Route, _map) = (route, map);

    /// <summary>The template it is mapped at, with a slash in front.</summary>
    public string Template => Route.Text;

    internal RouteTemplate Route { get; }

    internal bool IsBuiltIn { get; init; }

    internal bool HasHandlers => Array.Exists(_handlers, handler => handler is not null);

    /// <summary>Answers GET (RFC 7252, section 5.8.1).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Get(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Get, handler, mode);

    /// <summary>Answers GET by a synchronous handler (RFC 7252, section 5.8.1).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Get(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Get, handler, mode);

    /// <summary>Answers POST (RFC 7252, section 5.8.2).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Post(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Post, handler, mode);

    /// <summary>Answers POST by a synchronous handler (RFC 7252, section 5.8.2).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Post(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Post, handler, mode);

    /// <summary>Answers PUT (RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Put(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Put, handler, mode);

    /// <summary>Answers PUT by a synchronous handler (RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Put(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Put, handler, mode);

    /// <summary>Answers DELETE (RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Delete(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Delete, handler, mode);

    /// <summary>Answers DELETE by a synchronous handler (RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Delete(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Delete, handler, mode);

    /// <summary>Answers FETCH (RFC 8132, section 2).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Fetch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Fetch, handler, mode);

    /// <summary>Answers FETCH by a synchronous handler (RFC 8132, section 2).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Fetch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Fetch, handler, mode);

    /// <summary>Answers PATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Patch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Patch, handler, mode);

    /// <summary>Answers PATCH by a synchronous handler (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Patch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.Patch, handler, mode);

    /// <summary>Answers iPATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource IPatch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.IPatch, handler, mode);

    /// <summary>Answers iPATCH by a synchronous handler (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource IPatch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered) =>
        On(RequestCode.IPatch, handler, mode);

    /// <summary>Answers any method.</summary>
    /// <param name="method">A request code, 0.01 to 0.31.</param>
    /// <param name="handler">Answers the request.</param>
    /// <param name="mode">Where the handler is called, up to its first wait.</param>
    /// <exception cref="InvalidOperationException">The method has a handler already.</exception>
    /// <exception cref="ArgumentException">The code is no method.</exception>
    public Resource On(CoapCode method, RequestDelegate handler, HandlerMode mode = HandlerMode.Inline)
    {
        ArgumentNullException.ThrowIfNull(handler);
        if (!method.IsRequest) { throw new ArgumentException($"Code {method} is no method; 0.01 to 0.31 are.", nameof(method)); }
        if (!Enum.IsDefined(mode)) { throw new ArgumentOutOfRangeException(nameof(mode), mode, "There is no such mode."); }
        if (Interlocked.CompareExchange(ref _handlers[method.Value], new Handler(handler, mode, Template), null) is not null)
        {
            throw new InvalidOperationException($"Method {method} of '{Template}' has a handler already.");
        }
        _map.Touch();
        return this;
    }

    /// <summary>Answers any method by a synchronous handler.</summary>
    /// <param name="method">A request code, 0.01 to 0.31.</param>
    /// <param name="handler">Answers the request.</param>
    /// <param name="mode">Where the handler is called; <see cref="HandlerMode.Inline"/> only where it never waits.</param>
    /// <exception cref="InvalidOperationException">The method has a handler already.</exception>
    /// <exception cref="ArgumentException">The code is no method.</exception>
    public Resource On(CoapCode method, Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Buffered)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return On(method, (request, _) => new ValueTask<CoapResponse>(handler(request)), mode);
    }

    /// <summary>What answers a method; nothing means 4.05.</summary>
    internal Handler? Find(CoapCode method) => method.Value < MethodCodes ? Volatile.Read(ref _handlers[method.Value]) : null;
}
