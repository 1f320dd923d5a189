using CoAP.Exchanges;
using CoAP.Resources;

namespace CoAP;

/// <summary>The handlers and the description of a resource, which is mapped at one path or at all paths of a template.</summary>
/// <remarks>
/// <para>Safe for concurrent use. You may add handlers and attributes while the server answers requests. A method without a handler gets
/// 4.05 (Method Not Allowed).</para>
/// <para>Handlers run on several threads at the same time, one call per request. They see the requests of one peer in order only up to their
/// first <see langword="await"/>. Guard the state that they share. An exception, or <see langword="null"/> as the response, becomes 5.00 (Internal
/// Server Error). A <see cref="CoapResponseException"/> becomes the response that it describes.</para>
/// <para>Features, such as observing, are extension methods of this class.</para>
/// </remarks>
public sealed class Resource
{
    private const int MethodCodes = 32;

    private readonly Handler?[] _handlers = new Handler?[MethodCodes];
    private ResourceConditions? _conditions;
    private RateLimiter? _rate;
    private StepLevel? _steps;

    internal Resource(RouteTemplate route, ResourceMap map, ResourceGroup? group = null) =>
        (Route, Map, Group, Dispatches) = (route, map, group, new(this));

    /// <summary>The template under which the resource is mapped, with a leading slash.</summary>
    public string Template => Route.Text;

    internal RouteTemplate Route { get; }

    internal ResourceMap Map { get; }

    /// <summary>The group through which the resource was mapped; <see langword="null"/> if it was mapped without one.</summary>
    internal ResourceGroup? Group { get; }

    /// <summary>Whether the resource or its group has steps. They also see the requests to the resource that have no handler.</summary>
    internal bool HasSteps => Volatile.Read(ref _steps) is { HasSteps: true } || Group is { HasSteps: true };

    /// <summary>Whether a step of the resource or of its group may make responses depend on the peer.</summary>
    internal bool DependsOnPeer => Volatile.Read(ref _steps) is { DependsOnPeer: true } || Group is { DependsOnPeer: true };

    /// <summary>The routing results of requests to the resource.</summary>
    internal Dispatch.Table Dispatches { get; }

    internal ResourceDescription Description { get; } = new();

    /// <summary>How requests with conditions are handled; <see langword="null"/> if they are rejected.</summary>
    internal ResourceConditions? Conditions => Volatile.Read(ref _conditions);

    /// <summary>Limits the requests of accounts to the resource; <see langword="null"/> if there is no limit.</summary>
    internal RateLimiter? Rate => Volatile.Read(ref _rate);

    /// <summary>The state of features of the resource.</summary>
    internal FeatureSet<ResourceFeature> Features { get; } = new();

    /// <summary>Whether the library has mapped the resource.</summary>
    internal bool IsBuiltIn { get; init; }

    internal bool HasHandlers => Array.Exists(_handlers, handler => handler is not null);

    /// <summary>Sets the handler for GET (RFC 7252, section 5.8.1).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Get(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Get, handler, mode);

    /// <summary>Sets a synchronous handler for GET (RFC 7252, section 5.8.1).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Get(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Get, handler, mode);

    /// <summary>Sets the handler for POST (RFC 7252, section 5.8.2).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Post(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Post, handler, mode);

    /// <summary>Sets a synchronous handler for POST (RFC 7252, section 5.8.2).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Post(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Post, handler, mode);

    /// <summary>Sets the handler for PUT (RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Put(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Put, handler, mode);

    /// <summary>Sets a synchronous handler for PUT (RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Put(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Put, handler, mode);

    /// <summary>Sets the handler for DELETE (RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Delete(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Delete, handler, mode);

    /// <summary>Sets a synchronous handler for DELETE (RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Delete(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Delete, handler, mode);

    /// <summary>Sets the handler for FETCH (RFC 8132, section 2).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Fetch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Fetch, handler, mode);

    /// <summary>Sets a synchronous handler for FETCH (RFC 8132, section 2).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Fetch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Fetch, handler, mode);

    /// <summary>Sets the handler for PATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource Patch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.Patch, handler, mode);

    /// <summary>Sets a synchronous handler for PATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource Patch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.Patch, handler, mode);

    /// <summary>Sets the handler for iPATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, RequestDelegate, HandlerMode)" path="/param|/exception"/>
    public Resource IPatch(RequestDelegate handler, HandlerMode mode = HandlerMode.Inline) => On(RequestCode.IPatch, handler, mode);

    /// <summary>Sets a synchronous handler for iPATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="On(CoapCode, Func{IncomingRequest, CoapResponse}, HandlerMode)" path="/param|/exception"/>
    public Resource IPatch(Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned) =>
        On(RequestCode.IPatch, handler, mode);

    /// <summary>Sets the handler for any method.</summary>
    /// <param name="method">A request code, 0.01 to 0.31.</param>
    /// <param name="handler">The handler, which returns the response.</param>
    /// <param name="mode">Where the handler runs up to its first <see langword="await"/>.</param>
    /// <exception cref="InvalidOperationException">The method has a handler already.</exception>
    /// <exception cref="ArgumentException">The code is not a method.</exception>
    public Resource On(CoapCode method, RequestDelegate handler, HandlerMode mode = HandlerMode.Inline)
    {
        ArgumentNullException.ThrowIfNull(handler);
        if (!method.IsRequest) { throw new ArgumentException($"Code {method} is not a method; methods are 0.01 to 0.31.", nameof(method)); }
        if (!Enum.IsDefined(mode)) { throw new ArgumentOutOfRangeException(nameof(mode), mode, "The value is not a HandlerMode."); }
        if (Interlocked.CompareExchange(ref _handlers[method.Value], new Handler(handler, mode, Template), null) is not null)
        {
            throw new InvalidOperationException(
                $"'{Template}' already has a handler for {CodeNames.OfMethod(method)}. Each method has one; use steps (Resource.Use) for what runs before it.");
        }
        return Touched();
    }

    /// <summary>Sets a synchronous handler for any method.</summary>
    /// <param name="method">A request code, 0.01 to 0.31.</param>
    /// <param name="handler">The handler, which returns the response.</param>
    /// <param name="mode">Where the handler runs. Use <see cref="HandlerMode.Inline"/> only if the handler never blocks, and
    /// <see cref="HandlerMode.Buffered"/> if a call can take longer than a few milliseconds or waits for another request.</param>
    /// <exception cref="InvalidOperationException">The method has a handler already.</exception>
    /// <exception cref="ArgumentException">The code is not a method.</exception>
    public Resource On(CoapCode method, Func<IncomingRequest, CoapResponse> handler, HandlerMode mode = HandlerMode.Learned)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return On(method, (request, _) => new ValueTask<CoapResponse>(handler(request)), mode);
    }

    /// <summary>
    /// Adds a step around the handlers of the resource, such as logging. The steps of the server and of groups run around it. The first step added is
    /// the outermost.
    /// </summary>
    /// <param name="step">Takes the next step, or the handler, and returns a delegate that calls it. Called once, at once.</param>
    /// <param name="dependsOnPeer">Whether responses may depend on the peer because of the step. If so, observers do not share representations.</param>
    /// <exception cref="InvalidOperationException">The step returned <see langword="null"/>.</exception>
    /// <remarks>
    /// The step also sees requests that no handler answers, such as those with a method that is not allowed. Observers that came before the step still
    /// share representations.
    /// </remarks>
    public Resource Use(Func<RequestDelegate, RequestDelegate> step, bool dependsOnPeer = true)
    {
        var steps = Volatile.Read(ref _steps);
        if (steps is null)
        {
            var made = new StepLevel(Group?.Levels.Length ?? 0);
            steps = Interlocked.CompareExchange(ref _steps, made, null) ?? made;
        }
        steps.Add(step, dependsOnPeer, Template);
        return this;
    }

    /// <summary>
    /// Accepts only payloads of these Content-Formats, for all methods. Any other gets 4.15 (Unsupported Content-Format). A further call replaces
    /// the formats.
    /// </summary>
    /// <remarks>A payload without a Content-Format is accepted: its format is indeterminate, and the handler has to infer it (RFC 7252,
    /// section 5.5.1). <see cref="RequestPayloadExtensions.Read{T}(IncomingRequest)"/> infers it if only one format handles the type. A Content-Format
    /// without a payload is ignored.</remarks>
    /// <exception cref="ArgumentException">There is no format, or one above 65,535.</exception>
    public Resource Consumes(params ReadOnlySpan<uint> contentFormats)
    {
        Description.Consume(contentFormats);
        return this;
    }

    /// <summary>
    /// Offers representations only in these formats, for all methods, and lists them in discovery. A request with another Accept option gets 4.06
    /// (Not Acceptable). A further call replaces the formats.
    /// </summary>
    /// <remarks>A request without an Accept option has no preference (RFC 7252, section 5.10.4).</remarks>
    /// <exception cref="ArgumentException">There is no format, or one above 65,535.</exception>
    public Resource Produces(params ReadOnlySpan<uint> contentFormats)
    {
        Description.Produce(contentFormats);
        return Touched();
    }

    /// <summary>Sets attributes of the link in "/.well-known/core". Attributes that are <see langword="null"/> stay as they are.</summary>
    /// <param name="rt">Resource types, separated by spaces (RFC 6690, section 3.1).</param>
    /// <param name="interfaceDescription">Interface descriptions, "if", separated by spaces (RFC 6690, section 3.2).</param>
    /// <param name="title">A title for people (RFC 8288, section 3.4.1).</param>
    /// <param name="ct">Content-Formats separated by spaces (RFC 7252, section 7.2.1). Default: those of <see cref="Produces"/>.</param>
    /// <param name="sz">An estimate of the representation's size in bytes (RFC 6690, section 3.3).</param>
    /// <param name="obs">Whether the resource is worth observing (RFC 7641, section 6).</param>
    /// <exception cref="ArgumentException">A value is empty or contains control characters.</exception>
    public Resource WithLink(
        string? rt = null, string? interfaceDescription = null, string? title = null, string? ct = null, long? sz = null, bool? obs = null)
    {
        Description.SetLink(rt, interfaceDescription, title, ct, sz, obs);
        return Touched();
    }

    /// <summary>Hides the resource from "/.well-known/core". Its handlers still answer requests.</summary>
    public Resource Hidden()
    {
        Description.IsHidden = true;
        return Touched();
    }

    /// <summary>Runs the steps from the group at a depth on, and the handler. Depth 0 is the outermost group, or the resource if it has no group.</summary>
    internal ValueTask<CoapResponse> Run(int depth, IncomingRequest request, CancellationToken cancellationToken)
    {
        var groups = Group is null ? [] : Group.Levels;
        if (depth < groups.Length) { return groups[depth].Run(request, cancellationToken); }
        return depth == groups.Length && Volatile.Read(ref _steps) is { } steps
            ? steps.Run(request, cancellationToken)
            : HandlerCall.WithPayload(HandlerCall.Run(request, cancellationToken), request);
    }

    internal Resource Declare(ResourceConditions conditions) => Interlocked.CompareExchange(ref _conditions, conditions, null) is null
        ? this
        : throw new InvalidOperationException($"'{Template}' has declared how it handles conditions: call either WithTag or HandlesConditions, once.");

    internal Resource Declare(RateLimiter rate) => Interlocked.CompareExchange(ref _rate, rate, null) is null
        ? this
        : throw new InvalidOperationException($"'{Template}' has a rate limit already: call LimitRate once.");

    /// <summary>Returns the handler for a method, or <see langword="null"/> if the method is not allowed.</summary>
    internal Handler? Find(CoapCode method) => method.Value < MethodCodes ? Volatile.Read(ref _handlers[method.Value]) : null;

    private Resource Touched()
    {
        Map.Touch();
        return this;
    }
}
