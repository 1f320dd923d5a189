using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;

namespace CoAP.Robust;

/// <summary>
/// Puts together the bodies of requests that come in Q-Block1, in whatever order, and sends more of the responses that go out in Q-Block2
/// (RFC 9177, sections 4.3 and 4.4). Over datagrams only: reliable transports have no use for them (RFC 9177, section 3).
/// </summary>
internal sealed class RobustRequestStage(ExchangeLane lane, HandlerPipeline pipeline, RobustBodyStore robust)
    : InlineStage<IncomingRequest, IncomingRequest>
{
    private static readonly CoapResponse Gone = Response.Error(
        ResponseCode.RequestEntityIncomplete, "The response that the block belongs to is not kept any more. Send the request again.");

    /// <summary>Answers that need no handler.</summary>
    public Output<Answer> Answers { get; } = new();

    /// <summary>Acknowledgements of blocks that get no answer yet.</summary>
    public Output<OutgoingMessage> Reactions { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Answers.Complete();
        Reactions.Complete();
    }

    protected override void Process(in IncomingRequest item)
    {
        if (!RobustRules.IsMeant(item.Options))
        {
            Out.Emit(item);
            return;
        }
        if (item.IsMulticast)
        {
            // RFC 9177, section 4.8.
            lane.Metrics.IgnoredMulticasts++;
            Settle(item);
            return;
        }
        if (RobustRules.Refusal(item.Options) is { } refusal)
        {
            Answer(item, Response.Error(refusal, "The Q-Block options are not as RFC 9177, section 4 wants them."));
            return;
        }
        if (item.Options.Contains<QBlock1>()) { OnBlock(item); }
        else { OnWanted(item); }
    }

    private void OnBlock(IncomingRequest request)
    {
        // What nobody will act on need not be collected: 4.04, 4.05 and 4.15 are answered to each block.
        if (!request.Method.MayHavePayload || (pipeline.Route(request) is null && !pipeline.HasSteps))
        {
            Out.Emit(request);
            return;
        }
        var key = ServedBodyStore.KeyOf(request);
        if (!robust.TryFind(key, out RobustRequestBody? upload))
        {
            var mustVerify = robust.Bodies.MustVerify(request);
            if (mustVerify || !robust.TryOpen(key, request, out upload))
            {
                Answer(request, mustVerify ? lane.Addresses!.Challenge(request.Peer) : Unavailable());
                return;
            }
        }
        if (upload.Collection is not { } collection)
        {
            OnRepeated(request, upload);
            return;
        }
        upload.IsForNew |= key.IsForNew;
        var outcome = collection.OnRequest(request.Message, lane.Now);
        if (outcome.IsComplete) { Out.Emit(Whole(request, robust.Finish(upload), upload.IsForNew)); }
        else if (outcome.IsRejected) { Refuse(request, upload, outcome.Code); }
        else if (!robust.TryCharge(upload, collection.Held))
        {
            robust.Remove(upload);
            Answer(request, Unavailable());
        }
        else
        {
            Settle(request);
            upload.Advance();
        }
    }

    // RFC 9177, section 4.3: a block that comes again is answered as if it came for the first time.
    private void OnRepeated(IncomingRequest request, RobustRequestBody upload)
    {
        if (robust.TryFind(upload.Body, out RobustResponseBody? serving))
        {
            Settle(request);
            serving.Serving.Remind(request.Message.Token, lane.Now);
            serving.Advance();
        }
        else if (upload.Response is { } response) { Answer(request, response); }
        else { Settle(request); }
    }

    private void OnWanted(IncomingRequest request)
    {
        var asked = request.Options.GetAll<QBlock2>();
        // A request for the whole is a new one; so is a confirmable one for block 0 alone, by which clients find out what we support (section 4.1).
        var isNew = asked is [{ BlockNumber: 0 } first] && (first.HasMore || request.Message.Type == MessageType.Confirmable);
        if (!isNew && robust.TryFind(ServedBodyStore.KeyOf(request), out RobustResponseBody? serving))
        {
            OnMore(request, serving);
            return;
        }
        if (isNew || request.Method == RequestCode.Get || (request.Method == RequestCode.Fetch && !request.Payload.IsEmpty))
        {
            request.AsksRobustly = true;
            Out.Emit(request);
        }
        else { Answer(request, Gone); }
    }

    private void OnMore(IncomingRequest request, RobustResponseBody entry)
    {
        // A confirmable question is answered by one block on its acknowledgement, as is one from an address that may be forged: never by a flood.
        var isSingle = request.Message.Type == MessageType.Confirmable || request.Allowance != int.MaxValue;
        var outcome = isSingle ? entry.Serving.OnSingleRequest(request.Message, lane.Now) : entry.Serving.OnRequest(request.Message, lane.Now);
        if (outcome.IsRejected)
        {
            Answer(request, new CoapResponse(outcome.Code));
            return;
        }
        if (isSingle)
        {
            Answer(request, entry.Serving.TryNext(lane.Now, out var part) ? ResponseOf(part) : Gone);
            return;
        }
        Settle(request);
        entry.Advance();
    }

    private void Refuse(IncomingRequest request, RobustRequestBody upload, CoapCode code)
    {
        robust.Remove(upload);
        var hint = code == ResponseCode.RequestEntityTooLarge ? new CoapOption[] { new Size1((uint)robust.Bodies.Limits.MaxBodySize) } : [];
        Answer(request, Response.Error(code, "The block does not fit the body that Size1 and the blocks before it tell of.", hint));
    }

    private static IncomingRequest Whole(IncomingRequest last, byte[] body, bool isForNew)
    {
        var options = last.Options.Without(QBlock1.Declaration.Number).Without(IfNoneMatch.Declaration.Number);
        var message = new CoapMessage
        {
            Type = last.Message.Type,
            Code = last.Message.Code,
            MessageId = last.Message.MessageId,
            Token = last.Message.Token,
            Options = isForNew ? options.With(new IfNoneMatch()) : options,
            Payload = body,
        };
        var whole = last.WithBody(message, lastBlock: null);
        whole.AsksRobustly = true;
        return whole;
    }

    // No answer is due yet: a confirmable message is acknowledged, and deduplication may forget either (RFC 9177, section 4.3).
    private void Settle(IncomingRequest request) => request.Suppress(isAcknowledged: false, Reactions, RetentionClass.Safe);

    private CoapResponse Unavailable() => Response.Unavailable(robust.Settings.NonReceiveTimeout);

    private static CoapResponse ResponseOf(in RobustPart part) => new(part.Code) { Options = part.Options, Payload = part.Payload };

    private void Answer(IncomingRequest request, CoapResponse response) => Answers.Emit(new Answer(request, response, isAcknowledged: false));
}
