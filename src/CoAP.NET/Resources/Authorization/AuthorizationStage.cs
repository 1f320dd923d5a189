using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Resources;

/// <summary>Asks the authorizers about each request, before its body is collected. Follow-up blocks use the decision until it expires.</summary>
/// <param name="lane">The lane.</param>
/// <param name="authorization">The authorizers.</param>
/// <param name="remembered">The decisions that later blocks use.</param>
/// <param name="bodies">The bodies that have arrived in part.</param>
/// <param name="failures">Ends requests that make a later stage fail after a late decision.</param>
internal sealed class AuthorizationStage(
    ExchangeLane lane, EndpointAuthorization authorization, RememberedDecisions remembered, IPartialBodies bodies, RequestFailures failures)
    : InlineStage<IncomingRequest, IncomingRequest>
{
    // Without these options, no message follows the response, so the lifetime of the decision is irrelevant.
    private static readonly ulong HaveLaterMessages = BlockOption.Bits | OptionNumber.SeenBit(Observe.Declaration.Number);

    private readonly Dictionary<DecisionKey, PendingAuthorization> _pending = [];

    /// <summary>The answers to requests that are denied.</summary>
    public Output<Answer> Refusals => field ??= Port<Answer>();

    protected override void Process(in IncomingRequest item)
    {
        if (authorization.Governs(item)) { Authorize(item); }
        else { Out.Emit(item); }
    }

    /// <summary>Applies a decision to a request.</summary>
    public void Resolve(IncomingRequest request, in AuthorizationDecision decision)
    {
        if (decision.IsAllowed)
        {
            if ((request.Options.Seen & HaveLaterMessages) != 0) { request.AuthorizedUntil = lane.After(decision.Lifetime); }
            Out.Emit(request);
        }
        else
        {
            // After a timeout of an authorizer, the client may repeat the block, so its body is kept.
            var isLate = ReferenceEquals(decision.Refusal, EndpointAuthorization.TooLate);
            if (!isLate && (request.Options.Seen & BlockOption.Bits) != 0) { bodies.Drop(request); }
            Refuse(request, EndpointAuthorization.RefusalOf(decision, request));
        }
    }

    /// <summary>Ends the wait for a decision.</summary>
    public void Settle(PendingAuthorization pending)
    {
        if (pending.Key is { } key && _pending.GetValueOrDefault(key) == pending) { _pending.Remove(key); }
    }

    /// <summary>Remembers the decision about a block for the blocks that follow.</summary>
    public void Remember(DecisionKey? key, IncomingRequest request, in AuthorizationDecision decision)
    {
        if (key is { } transfer && decision.IsAllowed && !request.Account.IsUnverified) { remembered.Add(transfer, request.Account, decision.Lifetime); }
    }

    private void Authorize(IncomingRequest request)
    {
        var key = DecisionKey.Of(request, out var isLater);
        if (isLater && key is { } transfer && remembered.TryGet(transfer, out var until))
        {
            request.AuthorizedUntil = until;
            Out.Emit(request);
        }
        else if (authorization.MayWait && lane.TryRefuse(request, out var refusal)) { Refuse(request, refusal); }
        else if (isLater && key is { } block && _pending.TryGetValue(block, out var pending)) { pending.Add(request); }
        else if (authorization.MayWait && lane.TryRefuse(request, lane.Ledger.Authorizations, out var busy)) { Refuse(request, busy); }
        else { Ask(request, key); }
    }

    private void Ask(IncomingRequest request, DecisionKey? key)
    {
        var asked = authorization.Ask(request, lane);
        if (asked.IsCompletedSuccessfully)
        {
            var decision = asked.Result;
            Remember(key, request, decision);
            Resolve(request, decision);
            return;
        }
        authorization.MayWait = true;
        var pending = new PendingAuthorization(lane, this, failures, request, key, authorization.Timeout);
        if (key is { } transfer) { _pending[transfer] = pending; }
        _ = pending.WaitAsync(asked);
    }

    private void Refuse(IncomingRequest request, CoapResponse refusal) => Refusals.Emit(new Answer(request, refusal, isAcknowledged: false));
}
