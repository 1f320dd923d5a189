using CoAP.Blockwise;
using CoAP.Blocks;
using CoAP.Channels;
using CoAP.Options;

namespace CoAP.Handlers;

/// <summary>
/// Puts the bodies of requests together, so that handlers see one request with the whole body, and serves further blocks of responses that
/// are kept (RFC 7959, sections 2.4 and 2.5).
/// </summary>
internal sealed class BodiesIn(LaneContext lane, HandlerPipeline pipeline, LaneBodies bodies) : InlineStage<ReceivedRequest, ReceivedRequest>
{
    private static readonly ulong BlockBits = OptionNumber.SeenBit(Block1.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <summary>Answers that need no handler.</summary>
    public Output<Answer> Answers { get; } = new();

    public override void Complete()
    {
        base.Complete();
        Answers.Complete();
    }

    protected override void Process(in ReceivedRequest item)
    {
        if ((item.Options.Seen & BlockBits) == 0)
        {
            Out.Emit(item);
            return;
        }
        var (sent, wanted) = (item.Options.Get<Block1>(), item.Options.Get<Block2>());
        if (FindFault(item, sent, wanted) is { } fault) { Answer(item, fault); }
        else if (sent is not null) { OnBlock(item, sent); }
        else if (wanted is { BlockNumber: > 0 }) { OnWanted(item, wanted); }
        else { Out.Emit(item); }
    }

    // A Block option cannot be ignored: it is processed, or the message is rejected (RFC 7959, section 2.1).
    private static CoapResponse? FindFault(ReceivedRequest request, Block1? sent, Block2? wanted)
    {
        if (sent is not null && !request.Method.MayHavePayload)
        {
            return Response.Error(ResponseCode.BadOption, $"A {request.Method} has no payload that Block1 could tell of.");
        }
        if (sent is not null && wanted is { BlockNumber: > 0 })
        {
            return Response.Error(ResponseCode.BadOption, "A request that sends a block cannot ask for a later one of its response.");
        }
        return wanted is not null && BlockSize.Of(wanted).IsBert && !request.IsReliable
            ? Response.Error(ResponseCode.BadRequest, "Block2 has the reserved size 7 (RFC 7959, section 2.2).")
            : null;
    }

    private void OnBlock(ReceivedRequest request, Block1 block)
    {
        // What nobody will act on need not be collected: 4.04, 4.05 and 4.15 are answered to the first block.
        if (pipeline.Route(request) is null && !pipeline.HasSteps)
        {
            Out.Emit(request);
            return;
        }
        var announced = request.Options.Get<Size1>()?.Value;
        var outcome = bodies.Received.Receive(LaneBodies.KeyOf(request), block, request.Payload, announced, request.IsReliable, lane.Now);
        bodies.Watch();
        switch (outcome)
        {
            case ReceiveOutcome.Continue next:
                Answer(request, new CoapResponse(ResponseCode.Continue) { Options = [next.Acknowledgement] });
                break;
            case ReceiveOutcome.Complete whole:
                Out.Emit(Whole(request, whole));
                break;
            case ReceiveOutcome.Rejected rejected:
                Answer(request, Response.Error(rejected.Code, rejected.Diagnostic, rejected.Hint is { } hint ? [hint] : []));
                break;
        }
    }

    private void OnWanted(ReceivedRequest request, Block2 wanted)
    {
        ulong? hash = request.Payload.IsEmpty ? null : BodyKey.HashOf(request.Payload.Span);
        if (bodies.Kept.TryFind(LaneBodies.KeyOf(request), hash, lane.Now, out var body))
        {
            Answer(request, BlockwiseResponse.Further(lane, bodies, request, body, wanted));
            bodies.Watch();
        }
        else if (request.Method == RequestCode.Get || (request.Method == RequestCode.Fetch && hash is not null)) { Out.Emit(request); }
        else
        {
            Answer(request, Response.Error(
                ResponseCode.RequestEntityIncomplete, "The response that the block belongs to is not kept any more. Send the request again."));
        }
    }

    private static ReceivedRequest Whole(ReceivedRequest last, ReceiveOutcome.Complete whole)
    {
        var message = new CoapMessage
        {
            Type = last.Message.Type,
            Code = last.Message.Code,
            MessageId = last.Message.MessageId,
            Token = last.Message.Token,
            Options = last.Options.Without(Block1.Declaration.Number),
            Payload = whole.Body,
        };
        return last.WithBody(message, whole.Acknowledgement);
    }

    private void Answer(ReceivedRequest request, CoapResponse response) => Answers.Emit(new Answer(request, response, isAcknowledged: false));
}
