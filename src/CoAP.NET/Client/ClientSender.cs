using CoAP.Caching;
using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Observing;
using CoAP.Stateless;

namespace CoAP;

/// <summary>The end of a client's steps: sends requests with absolute URIs to the endpoints that they name, whatever answers they ask for.</summary>
/// <remarks>A call passes the times that servers asked the client to wait, and the cache. Then a channel takes it to its lane.</remarks>
/// <param name="settings">The settings of the client.</param>
/// <param name="router">Opens the channels.</param>
/// <param name="observations">The observations of the client.</param>
/// <param name="stateless">Sends requests without keeping state.</param>
/// <param name="beginGroup">Hands a request to the lane that sends to groups.</param>
internal sealed class ClientSender(
    CoapClientSettings settings, ClientRouter router, ClientObservations observations, StatelessSender stateless, BeginGroupRequest beginGroup)
    : RequestSender, IEnvironmentSender
{
    private readonly RetryTimes _retryTimes = new(settings.MaxRetryAfter, settings.TimeProvider);

    public override PayloadFormats Formats => settings.Formats;

    public SenderEnvironment Environment => field ??= new(
        settings.Runtime, settings.TimeProvider, settings.CreateLog().Logger, settings.MaxDiscoveredLinks, settings.Multicast.ListenFor);

    private Func<RequestTarget, CoapResponse, CoapResponse> Note => field ??= (target, response) => _retryTimes.Note(target, response);

    public override ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default) => request?.Shape switch
    {
        AnswerShape.Observation => observations.Observe(request).StartAsync(cancellationToken),
        AnswerShape.Group => AnswersOfGroup(request).StartAsync(cancellationToken),
        AnswerShape.None or AnswerShape.Raw => PassAsync(request, cancellationToken),
        AnswerShape.Stateless => SendStatelessAsync(request, cancellationToken),
        _ when request is { Details: GroupPlan } => AskOneOrGroupAsync(request, cancellationToken),
        _ => AskOneAsync(request!, cancellationToken),
    };

    public override Answers Ask(CoapRequest request, CancellationToken cancellationToken = default) => request?.Shape switch
    {
        AnswerShape.Observation => observations.Observe(request).Start(cancellationToken),
        AnswerShape.Group => AnswersOfGroup(request).Start(cancellationToken),
        AnswerShape.None or AnswerShape.Raw => Pass(request, cancellationToken),
        AnswerShape.Stateless => SendStateless(request, cancellationToken),
        _ when request is { Details: GroupPlan } => AskOneOrGroup(request, cancellationToken),
        _ => Answers.Of(Send(request!, cancellationToken)),
    };

    public override ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        try
        {
            var target = TargetOf(request);
            if (settings.Cache is { } cache && !request.PassesCache)
            {
                return SendAsync(new CachedCall(cache, target, !request.IgnoresCache), cancellationToken);
            }
            return _retryTimes.TryFind(target, out var refusal) ? new(refusal) : CallAsync(target, Note, cancellationToken);
        }
        catch (Exception exception) { return ValueTask.FromException<CoapResponse>(exception); }    // not async, which saves its state
    }

    public override CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var target = TargetOf(request);
        if (settings.Cache is not { } cache || request.PassesCache)
        {
            return _retryTimes.TryFind(target, out var refusal) ? refusal : _retryTimes.Note(target, Call(target, cancellationToken));
        }
        var call = new CachedCall(cache, target, !request.IgnoresCache);
        while (call.Answer is null)
        {
            if (_retryTimes.TryFind(target, out var refusal) && !call.Fail()) { return refusal; }
            try { call.Take(_retryTimes.Note(target, Call(call.Target, cancellationToken))); }
            catch (Exception) when (call.Fail()) { throw; }    // as above
        }
        return call.Answer;
    }

    private async ValueTask<CoapResponse> SendAsync(CachedCall call, CancellationToken cancellationToken)
    {
        while (call.Answer is null)
        {
            if (_retryTimes.TryFind(call.Asked, out var refusal) && !call.Fail()) { return refusal; }
            try
            {
                var answer = await CallAsync(call.Target, note: null, cancellationToken).ConfigureAwait(false);
                call.Take(_retryTimes.Note(call.Asked, answer));
            }
            catch (Exception) when (call.Fail()) { throw; }    // after any failure: the server may have acted on the request
        }
        return call.Answer;
    }

    private RequestTarget TargetOf(CoapRequest request) => RequestTarget.OfOne(request).Within(settings.Timeout, settings.TimeProvider);

    private ValueTask<CoapResponse> CallAsync(
        RequestTarget target, Func<RequestTarget, CoapResponse, CoapResponse>? note, CancellationToken cancellationToken) =>
        router.RouteAsync(target, static (channel, request, token) => channel.SendAsync(request, token), note, cancellationToken);

    private CoapResponse Call(in RequestTarget target, CancellationToken cancellationToken) =>
        router.Route(target, static (channel, request, token) => channel.Send(request, token), cancellationToken);

    private async ValueTask<Answers> AskOneAsync(CoapRequest request, CancellationToken cancellationToken) =>
        Answers.Of(await SendAsync(request, cancellationToken).ConfigureAwait(false));

    // A name may be that of a group.
    private async ValueTask<Answers> AskOneOrGroupAsync(CoapRequest request, CancellationToken cancellationToken) =>
        HasGroup(await router.Addresses.ResolveAsync(RequestTarget.Of(request), cancellationToken).ConfigureAwait(false))
            ? await AnswersOfGroup(request.ToGroup()).StartAsync(cancellationToken).ConfigureAwait(false)
            : await AskOneAsync(request, cancellationToken).ConfigureAwait(false);

    private Answers AskOneOrGroup(CoapRequest request, CancellationToken cancellationToken) =>
        HasGroup(router.Addresses.Resolve(RequestTarget.Of(request), cancellationToken))
            ? AnswersOfGroup(request.ToGroup()).Start(cancellationToken)
            : Answers.Of(Send(request, cancellationToken));

    private static bool HasGroup(ServerAddresses places) => Enumerable.Range(0, places.Count).Any(index => places[index].Peer.IsMulticast);

    private ValueTask<Answers> PassAsync(CoapRequest request, CancellationToken cancellationToken) =>
        router.RouteAsync(TargetOf(request), static (channel, one, token) => channel.AskAsync(one, token), note: null, cancellationToken);

    private Answers Pass(CoapRequest request, CancellationToken cancellationToken) =>
        router.Route(TargetOf(request), static (channel, one, token) => channel.Ask(one, token), cancellationToken);

    private GroupAnswers AnswersOfGroup(CoapRequest request) =>
        new(request, ((GroupPlan)request.Details!).Complete(settings.Multicast), router.Addresses, beginGroup);

    private async ValueTask<Answers> SendStatelessAsync(CoapRequest request, CancellationToken cancellationToken)
    {
        await stateless.SendAsync(request, StateOf(request), cancellationToken).ConfigureAwait(false);
        return Answers.None;
    }

    private Answers SendStateless(CoapRequest request, CancellationToken cancellationToken)
    {
        stateless.Send(request, StateOf(request), cancellationToken);
        return Answers.None;
    }

    private static ReadOnlyMemory<byte> StateOf(CoapRequest request) => ((CarriedState)request.Details!).Bytes;
}
