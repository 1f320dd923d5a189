using CoAP.Exchanges;

namespace CoAP.Resources;

/// <summary>The authorizers of a resource, or those of a map. A map with an authorizer in one of its resources has this feature, too.</summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class AuthorizerChain : ResourceFeature
{
    private readonly Lock _changing = new();
    private Authorizer[] _all = [];
    private bool _mayWait;

    /// <summary>The response if an authorizer takes too long.</summary>
    public static CoapResponse TooLate { get; } = Response.Unavailable(TimeSpan.FromSeconds(1));

    /// <summary>Whether an authorizer has ever taken time to decide. Used on the authorizers of a map.</summary>
    public bool MayWait { get => Volatile.Read(ref _mayWait); set => Volatile.Write(ref _mayWait, value); }

    private Authorizer[] All => Volatile.Read(ref _all);

    public static void AddTo(FeatureSet<ResourceFeature> features, Authorizer authorizer)
    {
        features.TryAdd(new AuthorizerChain());
        var authorizers = features.Get<AuthorizerChain>();
        lock (authorizers._changing) { authorizers._all = [.. authorizers._all, authorizer]; }
    }

    /// <summary>Called on the authorizers of a map. Returns whether any authorizer decides about the requests for a resource.</summary>
    public bool Govern(Resource? resource) => All.Length > 0 || resource?.Features.Find<AuthorizerChain>() is not null;

    /// <summary>Called on the authorizers of a map. Asks them, and then those of the resource. Does not throw.</summary>
    public async ValueTask<AuthorizationDecision> AskAsync(IncomingRequest request, EndpointAuthorization authorization)
    {
        var decision = AuthorizationDecision.Allow(TimeSpan.MaxValue);
        try
        {
            var head = new RequestHead(request);
            var ofResource = request.Resource?.Features.Find<AuthorizerChain>() is { } authorizers ? authorizers.All : [];
            foreach (var authorizer in All.Length == 0 ? ofResource : ofResource.Length == 0 ? All : [.. All, .. ofResource])
            {
                var next = await authorizer(head, request.RequestAborted).ConfigureAwait(false);
                if (!next.IsAllowed) { return next; }
                decision = decision.And(next);
            }
            return decision;
        }
        catch (Exception exception) // The edge to user code: the exception ends this request alone.
        {
            return AuthorizationDecision.Deny(ResponseTo(exception, request, authorization));
        }
    }

    /// <summary>Returns the response to a denied request.</summary>
    public static CoapResponse RefusalOf(in AuthorizationDecision decision, IncomingRequest request) =>
        decision.Refusal ?? new CoapResponse(request.Credentials is null ? ResponseCode.Unauthorized : ResponseCode.Forbidden);

    // A user's exception can carry a response that is no error, or one that cannot be sent.
    private static CoapResponse ResponseTo(Exception exception, IncomingRequest request, EndpointAuthorization authorization)
    {
        var response = authorization.ToResponse(exception, request);
        return AuthorizationDecision.FindFault(response) is null ? response : new CoapResponse(ResponseCode.InternalServerError);
    }
}
