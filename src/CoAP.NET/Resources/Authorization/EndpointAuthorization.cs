using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Runtimes;

namespace CoAP.Resources;

/// <summary>Asks the authorizers of an endpoint. All lanes of the endpoint share it.</summary>
/// <param name="pipeline">Routes requests, and knows the resources.</param>
/// <param name="timeout">The longest time that an authorizer may take.</param>
/// <param name="runtime">Runs what authorizers await.</param>
internal sealed class EndpointAuthorization(HandlerPipeline pipeline, TimeSpan timeout, EndpointRuntime runtime)
{
    private static readonly TimeSpan LongAfter = TimeSpan.FromSeconds(1);      // half of ACK_TIMEOUT: not much longer, and the other peers of the lane retransmit

    // A cache must not keep a denial, because the peer may get the right at any time (RFC 7252, section 5.9.2).
    private static readonly CoapResponse Unauthorized = new(ResponseCode.Unauthorized) { Options = [new MaxAge(0)] };
    private static readonly CoapResponse Forbidden = new(ResponseCode.Forbidden) { Options = [new MaxAge(0)] };

    private static readonly AuthorizationDecision AllowedForever = AuthorizationDecision.Allow(TimeSpan.MaxValue);

    private bool _mayWait;

    /// <summary>The response if an authorizer takes too long.</summary>
    public static CoapResponse TooLate { get; } = Response.Unavailable(TimeSpan.FromSeconds(1));

    /// <summary>The longest time that an authorizer may take.</summary>
    public TimeSpan Timeout => timeout;

    /// <summary>Whether an authorizer has ever taken time to decide.</summary>
    public bool MayWait { get => Volatile.Read(ref _mayWait); set => Volatile.Write(ref _mayWait, value); }

    // The authorizers of the map. It has this feature if it or a resource has authorizers.
    private AuthorizerChain? OfMap => pipeline.Resources?.Features.Find<AuthorizerChain>();

    /// <summary>Returns whether any authorizer decides about a request. Finds the resource of the request if needed.</summary>
    public bool Governs(IncomingRequest request)
    {
        if (OfMap is not { } ofMap) { return false; }
        pipeline.Route(request);
        return Govern(ofMap, request.Resource);
    }

    /// <summary>Returns whether any authorizer decides about the requests for a resource.</summary>
    public bool Governs(Resource? resource) => OfMap is { } ofMap && Govern(ofMap, resource);

    /// <summary>Asks the authorizers of the map, and then those of the resource. Logs a call that blocks the lane. Does not throw.</summary>
    public ValueTask<AuthorizationDecision> Ask(IncomingRequest request, ExchangeLane lane)
    {
        var started = lane.CoarseMilliseconds();
        var asked = AskAll(request);
        var took = TimeSpan.FromMilliseconds(lane.CoarseMilliseconds() - started);
        if (took > LongAfter && !request.MayBlock) { lane.Log.AuthorizerHeldLane(took, request); }
        return asked;
    }

    // An async method would add 10 % to the cost of a small request.
    private ValueTask<AuthorizationDecision> AskAll(IncomingRequest request)
    {
        var decision = AllowedForever;
        try
        {
            var authorizers = AuthorizersOf(request);
            var head = new RequestHead(request);
            for (var next = 0; next < authorizers.Length; next++)
            {
                var asked = Call(authorizers[next], head, request);
                if (!asked.IsCompletedSuccessfully) { return AskOthersAsync(asked, decision, authorizers[(next + 1)..], head, request); }
                decision = decision.And(asked.Result);
                if (!decision.IsAllowed) { break; }
            }
            return new(decision);
        }
        catch (Exception exception) // The edge to user code: the exception ends this request alone.
        {
            return new(AuthorizationDecision.Deny(ResponseTo(exception, request)));
        }
    }

    private async ValueTask<AuthorizationDecision> AskOthersAsync(
        ValueTask<AuthorizationDecision> asked, AuthorizationDecision decision, Authorizer[] others, RequestHead head, IncomingRequest request)
    {
        try
        {
            decision = decision.And(await asked.ConfigureAwait(false));
            foreach (var authorizer in others)
            {
                if (!decision.IsAllowed) { break; }
                decision = decision.And(await Call(authorizer, head, request).ConfigureAwait(false));
            }
            return decision;
        }
        catch (Exception exception) // The edge to user code: the exception ends this request alone.
        {
            return AuthorizationDecision.Deny(ResponseTo(exception, request));
        }
    }

    private ValueTask<AuthorizationDecision> Call(Authorizer authorizer, RequestHead head, IncomingRequest request) =>
        runtime.Call(static call => call.authorizer(call.head, call.HandlerAborted), (authorizer, head, request.HandlerAborted));

    private Authorizer[] AuthorizersOf(IncomingRequest request)
    {
        var ofMap = OfMap?.All ?? [];
        var ofResource = request.Resource?.Features.Find<AuthorizerChain>()?.All ?? [];
        return ofMap.Length == 0 ? ofResource : ofResource.Length == 0 ? ofMap : [.. ofMap, .. ofResource];
    }

    /// <summary>Returns the response to a denied request.</summary>
    public static CoapResponse RefusalOf(in AuthorizationDecision decision, IncomingRequest request) =>
        decision.Refusal ?? (request.Credentials is null ? Unauthorized : Forbidden);

    private static bool Govern(AuthorizerChain ofMap, Resource? resource) =>
        ofMap.All.Length > 0 || resource?.Features.Find<AuthorizerChain>() is not null;

    // A user's exception can carry a response that is not an error, or one that cannot be sent.
    private CoapResponse ResponseTo(Exception exception, IncomingRequest request)
    {
        var response = pipeline.ToResponse(exception, request, static (log, exception, request) => log.AuthorizerFailed(exception, request));
        return AuthorizationDecision.FindFault(response) is null ? response : Response.Error(ResponseCode.InternalServerError, "The authorization of the request failed.");
    }
}
