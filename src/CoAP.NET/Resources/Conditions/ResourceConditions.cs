using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Resources;

/// <summary>Evaluates the conditions of requests to a resource: If-Match, If-None-Match and ETag (RFC 7252, sections 5.10.6 and 5.10.8).</summary>
/// <param name="tagOf">Returns the current entity tag; <see langword="null"/> if the handlers evaluate the conditions.</param>
/// <param name="maxAge">The lifetime of representations; <see langword="null"/> for the default one.</param>
internal sealed class ResourceConditions(Func<IncomingRequest, CancellationToken, ValueTask<ETag?>>? tagOf, MaxAge? maxAge = null)
{
    private static readonly ulong Bits = OptionNumber.SeenBit(IfMatch.Declaration.Number) | OptionNumber.SeenBit(IfNoneMatch.Declaration.Number);
    private static readonly CoapResponse NotBegun = Response.Unavailable(TimeSpan.FromSeconds(1));
    private static readonly CoapResponse PreconditionFailed = new(ResponseCode.PreconditionFailed);

    /// <summary>The conditions of a resource whose handlers evaluate them.</summary>
    public static ResourceConditions OfHandlers { get; } = new(tagOf: null);

    /// <summary>The turns of the requests that change something.</summary>
    public PathTurns Turns { get; } = new();

    /// <summary>Returns whether a request has If-Match or If-None-Match, which are critical options.</summary>
    public static bool AreIn(in OptionSet options) => (options.Seen & Bits) != 0;

    /// <summary>Whether the requests with a method wait for each other, because they change something.</summary>
    public bool TakesTurns(CoapCode method) => tagOf is not null && method != RequestCode.Get && method != RequestCode.Fetch;

    /// <summary>Runs the handler if the conditions of the request hold.</summary>
    public ValueTask<CoapResponse> RunAsync(Handler handler, IncomingRequest request, CancellationToken cancellationToken)
    {
        if (tagOf is null) { return handler.Invoke(request, cancellationToken); }
        return TakesTurns(request.Method)
            ? ChangeAsync(tagOf, handler, request, cancellationToken)
            : ReadAsync(tagOf, handler, request, cancellationToken);
    }

    // The tag is older than the content, or belongs to it. A client that validates a newer content with an older tag only gets it once more.
    private async ValueTask<CoapResponse> ReadAsync(
        Func<IncomingRequest, CancellationToken, ValueTask<ETag?>> tagOf, Handler handler, IncomingRequest request, CancellationToken cancellationToken)
    {
        var tag = await tagOf(request, cancellationToken).ConfigureAwait(false);
        if (!Hold(request.Options, tag)) { return PreconditionFailed; }
        if (tag is not null && tag.IsListedIn(request.Options)) { return WithAge(Response.Valid(tag)); }
        var response = await handler.Invoke(request, cancellationToken).ConfigureAwait(false);
        if (response is null || response.Code != ResponseCode.Content) { return response!; }
        return WithAge(tag is null || response.Options.Contains<ETag>() ? response : response.With(tag));
    }

    private CoapResponse WithAge(CoapResponse response) => maxAge is null || response.Options.Contains<MaxAge>() ? response : response.With(maxAge);

    private async ValueTask<CoapResponse> ChangeAsync(
        Func<IncomingRequest, CancellationToken, ValueTask<ETag?>> tagOf, Handler handler, IncomingRequest request, CancellationToken cancellationToken)
    {
        var path = request.Path;
        if (!Turns.TryEnter(path, request))
        {
            var exchange = request.Unanswered as UnansweredRequest;
            var account = exchange?.Account ?? request.Account;
            // Requests of all unverified addresses would wait here in one queue.
            if (account.IsUnverified) { return request.Lane.Addresses!.Challenge(request.Peer); }
            var entering = Turns.EnterAsync(path, request, account, cancellationToken);
            // The thread of a connection waits for nobody else.
            var isOwnThread = request.MayBlock && exchange is null;
            var waited = isOwnThread ? entering.GetAwaiter().GetResult() : await entering.ConfigureAwait(false);
            // On the thread pool, which connections need, a handler must not block.
            if (waited is not null && exchange is not null) { await exchange.ToHandlerThread(); }
            if (waited is not null && !Turns.TryBegin(path, waited)) { return NotBegun; }
        }
        try
        {
            var holds = !AreIn(request.Options) || Hold(request.Options, await tagOf(request, cancellationToken).ConfigureAwait(false));
            return holds ? await handler.Invoke(request, cancellationToken).ConfigureAwait(false) : PreconditionFailed;
        }
        finally { Turns.Leave(path); }
    }

    private static bool Hold(in OptionSet options, ETag? tag)
    {
        if (!AreIn(options)) { return true; }
        if (options.Contains<IfNoneMatch>() && tag is not null) { return false; }
        return !options.Contains<IfMatch>() || (tag is not null && options.GetAll<IfMatch>().Any(one => one.Matches(tag)));
    }
}
