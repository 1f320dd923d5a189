using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;

namespace CoAP.Robust;

/// <summary>
/// Assembles the bodies of requests with Q-Block1, whose blocks arrive in any order. Sends further blocks of responses with Q-Block2
/// (RFC 9177, sections 4.3 and 4.4). Used over datagrams only (RFC 9177, section 3).
/// </summary>
internal sealed class RobustRequestStage(ExchangeLane lane, HandlerPipeline pipeline, RobustBodyStore robust)
    : InlineStage<IncomingRequest, IncomingRequest>
{
    /// <summary>The answers that need no handler.</summary>
    public Output<Answer> Answers => field ??= Port<Answer>();

    /// <summary>The acknowledgements of blocks that get no answer yet.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in IncomingRequest item)
    {
        if (!RobustRules.HasQBlock(item.Options)) { Out.Emit(item); }
        else if (item.IsMulticast)
        {
            // RFC 9177, section 4.8.
            lane.Metrics[LaneCounters.IgnoredMulticasts]++;
            Settle(item);
        }
        else if (RobustRules.Refusal(item.Options) is { } refusal)
        {
            Answer(item, Response.Error(refusal, "The Q-Block options violate RFC 9177, section 4."));
        }
        else if (!item.Options.Contains<QBlock1>()) { OnWanted(item); }
        // A body without a handler is not collected: each block gets 4.04, 4.05 or 4.15.
        else if (pipeline.Route(item) is null && !pipeline.HasSteps) { Out.Emit(item); }
        else if (item.Method.MayHavePayload) { OnBlock(item); }
        else { Answer(item, Response.BadOption(QBlock1.Declaration.Number, $"A {item.Method} request has no payload, so it cannot have Q-Block1.")); }
    }

    private void OnBlock(IncomingRequest request)
    {
        var key = ServedBodyStore.KeyOf(request);
        if (!robust.TryFind(key, out RobustRequestBody? body))
        {
            var mustVerify = ServedBodyStore.MustVerify(request);
            if (mustVerify || !robust.TryOpen(key, request, out body))
            {
                Answer(request, mustVerify ? lane.Addresses!.Challenge(request.Peer) : Unavailable());
                return;
            }
        }
        if (body.Collection is not { } collection)
        {
            OnRepeated(request, body);
            return;
        }
        body.IsForNew |= key.IsForNew;
        var outcome = collection.OnRequest(request.Message, lane.Now);
        if (outcome.IsComplete) { Out.Emit(Whole(request, body)); }
        else if (outcome.IsRejected) { Refuse(request, body, outcome.Code); }
        else if (!robust.TryCharge(body, body.Size))
        {
            robust.Remove(body);
            Answer(request, Unavailable());
        }
        else
        {
            Settle(request);
            body.Advance();
        }
    }

    // A repeated block gets the same answer as the first one (RFC 9177, section 4.3).
    private void OnRepeated(IncomingRequest request, RobustRequestBody body)
    {
        if (robust.TryFind(body.Body, out RobustResponseBody? serving))
        {
            Settle(request);
            serving.Serving.Remind(request.Message.Token, lane.Now);
            serving.Advance(request);
        }
        else if (body.Response is { } response) { Answer(request, response); }
        else { Settle(request); }
    }

    private void OnWanted(IncomingRequest request)
    {
        var asked = request.Options.GetAll<QBlock2>();
        // A request for the whole body is new. So is a confirmable one for block 0 alone, which clients use to probe for support (section 4.1), and one that
        // changes something: requests for further blocks have no payload.
        var isNew = (asked is [{ BlockNumber: 0 } first] && (first.HasMore || request.Message.Type == MessageType.Confirmable))
            || (!request.Method.IsSafe && !request.Payload.IsEmpty);
        if (request.Message.Type == MessageType.Confirmable && asked is [{ HasMore: true }] && request.Allowance != int.MaxValue)
        {
            // The client waits for blocks that an unverified address must not get (RFC 9175, section 2.4).
            Answer(request, lane.Addresses!.Challenge(request.Peer));
        }
        else if (!isNew && robust.TryFind(ServedBodyStore.KeyOf(request), out RobustResponseBody? serving)) { OnMore(request, serving); }
        else if (isNew || request.Method == RequestCode.Get || (request.Method == RequestCode.Fetch && !request.Payload.IsEmpty))
        {
            request.Transfer = robust;
            Out.Emit(request);
        }
        else { Answer(request, BlockwiseResponse.Gone()); }
    }

    private void OnMore(IncomingRequest request, RobustResponseBody entry)
    {
        // An unverified address gets one block per request.
        var isSingle = request.Allowance != int.MaxValue;
        if (request.Message.Type == MessageType.Confirmable && !isSingle)
        {
            var isFound = entry.Confirmable.TryBegin(request.Message, out var first);
            Answer(request, isFound ? ResponseOf(first) : Response.Error(ResponseCode.BadRequest, "The body has no such block of this size."));
            entry.Advance(request);
            return;
        }
        var outcome = isSingle ? entry.Serving.OnSingleRequest(request.Message, lane.Now) : entry.Serving.OnRequest(request.Message, lane.Now);
        if (outcome.IsRejected) { Answer(request, new CoapResponse(outcome.Code)); }
        else if (isSingle) { Answer(request, entry.Serving.TryNext(lane.Now, out var part) ? ResponseOf(part) : BlockwiseResponse.Gone()); }
        else
        {
            Settle(request);
            entry.Advance(request);
        }
    }

    private void Refuse(IncomingRequest request, RobustRequestBody body, CoapCode code)
    {
        robust.Remove(body);
        var hint = code == ResponseCode.RequestEntityTooLarge ? new CoapOption[] { new Size1((uint)robust.Bodies.Budget.LargestBody(body.Body)) } : [];
        Answer(request, Response.Error(code, "The block contradicts Size1 or the blocks before it.", hint));
    }

    private IncomingRequest Whole(IncomingRequest last, RobustRequestBody body)
    {
        var bytes = robust.Finish(body, out var charge);
        last.TakeOver(charge);
        var options = last.Options.Without(QBlock1.Declaration.Number).Without(IfNoneMatch.Declaration.Number);
        var whole = last.WithBody(last.Message.With(body.IsForNew ? options.With(new IfNoneMatch()) : options, bytes), lastBlock: null);
        whole.Transfer = robust;
        return whole;
    }

    // No answer is due yet. A confirmable message is acknowledged, and deduplication need not remember the message (RFC 9177, section 4.3).
    private void Settle(IncomingRequest request) => request.Suppress(Reactions, RetentionClass.Safe);

    private CoapResponse Unavailable() => Response.Unavailable(robust.Settings.NonReceiveTimeout);

    private static CoapResponse ResponseOf(in RobustPart part) => new(part.Code, part.Options, part.Payload);

    private void Answer(IncomingRequest request, CoapResponse response) => Answers.Emit(new Answer(request, response, isAcknowledged: false));
}
