using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Blockwise;

/// <summary>
/// Assembles the bodies of requests, so that handlers get one request with the whole body. Serves further blocks of kept responses
/// (RFC 7959, sections 2.4 and 2.5).
/// </summary>
internal sealed class RequestBodyStage(ExchangeLane lane, HandlerPipeline pipeline, ServedBodyStore bodies, RequestFailures failures)
    : InlineStage<IncomingRequest, IncomingRequest>
{
    private static readonly ulong BlockBits = OptionNumber.SeenBit(Block1.Declaration.Number) | OptionNumber.SeenBit(Block2.Declaration.Number);

    // A placeholder until the block has been read.
    private static readonly CoapResponse NotYet = new(ResponseCode.Content);

    /// <summary>The answers that need no handler.</summary>
    public Output<Answer> Answers => field ??= Port<Answer>();

    /// <summary>The answers of handlers that read the body while it arrived. They may be too large for a message.</summary>
    public Output<Answer> Streamed => field ??= Port<Answer>();

    protected override void Process(in IncomingRequest item)
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

    // A server processes a Block option or rejects the message; it must not ignore the option (RFC 7959, section 2.1).
    private static CoapResponse? FindFault(IncomingRequest request, Block1? sent, Block2? wanted)
    {
        if (sent is not null && !request.Method.MayHavePayload)
        {
            return Response.BadOption(Block1.Declaration.Number, $"A {request.Method} request has no payload, so it cannot have Block1.");
        }
        if (sent is not null && wanted is { BlockNumber: > 0 })
        {
            return Response.BadOption(Block2.Declaration.Number, "A request with Block1 cannot ask for a later block of its response.");
        }
        return request.IsReliable ? null : FindReservedSize(wanted) ?? FindReservedSize(sent);
    }

    private static CoapResponse? FindReservedSize(BlockOption? block) => block is not null && BlockSize.Of(block).IsBert
        ? Response.Error(ResponseCode.BadRequest, $"{block.GetType().Name} has the reserved size 7 (RFC 7959, section 2.2).")
        : null;

    private void OnBlock(IncomingRequest request, Block1 block)
    {
        // A body without a handler is not collected: the first block gets 4.04, 4.05 or 4.15.
        if (pipeline.Route(request) is null && !pipeline.HasSteps)
        {
            Out.Emit(request);
            return;
        }
        if (block is { BlockNumber: 0, HasMore: true } && ServedBodyStore.MustVerify(request))
        {
            Answer(request, lane.Addresses!.Challenge(request.Peer));
            return;
        }
        bodies.Follow(request);
        if (request.Resource is { } resource && resource.Features.Find<StreamedBody>() is { MaxSize: var limit } && IsStreamed(request, block, limit))
        {
            return;
        }
        var announced = request.Options.Get<Size1>()?.Value;
        var outcome = bodies.Received.Receive(ServedBodyStore.KeyOf(request), block, request.Payload, announced, request.IsReliable, lane.Now);
        bodies.ScheduleExpiry();
        switch (outcome)
        {
            case ReceiveOutcome.Continue next:
                Answer(request, new CoapResponse(ResponseCode.Continue) { Options = [next.Acknowledgement] });
                break;
            case ReceiveOutcome.Complete whole:
                Out.Emit(Whole(request, whole));
                break;
            case ReceiveOutcome.Rejected rejected:
                Reject(request, rejected);
                break;
        }
    }

    private bool IsStreamed(IncomingRequest request, Block1 block, long limit)
    {
        if (block is { BlockNumber: 0, HasMore: false }) { return false; }
        var key = ServedBodyStore.KeyOf(request);
        if (bodies.TryFind(key, out var known))
        {
            if (block.BlockNumber > 0 || known.IsRepeated(block, request.Payload))
            {
                known.OnBlock(request, block);
                return true;
            }
            known.End("The client has restarted the body.");
        }
        if (block.BlockNumber > 0) { Reject(request, BlockSequence.Incomplete(block, 0)); }
        else
        {
            limit = bodies.Window == 0 ? 0 : Math.Min(limit, bodies.Settings.MaxStreamedSize);
            Begin(request, block, new StreamedUpload(lane, bodies, key, limit, Streamed, failures));
        }
        return true;
    }

    private void Begin(IncomingRequest request, Block1 block, StreamedUpload streamed)
    {
        // The first block is checked before the handler is called.
        if (BlockSequence.FindFault(block, request.Payload.Length, request.IsReliable) is { } fault) { Reject(request, fault); }
        else if (streamed.FindExcess(request, block) is { } excess) { Reject(request, excess); }
        else if (!bodies.TryAdd(streamed)) { Answer(request, Response.Unavailable(bodies.UntilRoom())); }
        else
        {
            var forHandler = streamed.ForHandler(request);
            try { Out.Emit(forHandler); }
            catch
            {
                streamed.End("A stage failed.");
                forHandler.Drop(wasHandled: false);
                throw;
            }
            if (streamed.IsOver) { request.Drop(wasHandled: false); }
            else { streamed.OnBlock(request, block); }
        }
    }

    private void OnWanted(IncomingRequest request, Block2 wanted)
    {
        ulong? hash = request.Payload.IsEmpty ? null : BodyKey.HashOf(request.Payload.Span);
        var key = ServedBodyStore.KeyOf(request);
        if (bodies.TryFind(key, hash, out var streamed)) { streamed.Serve(new Answer(request, NotYet, isAcknowledged: false), wanted, isFirst: false); }
        else if (bodies.Kept.TryFind(key, hash, lane.Now, out var body))
        {
            Answer(request, BlockwiseResponse.Further(lane, bodies, request, body, wanted));
            bodies.ScheduleExpiry();
        }
        else if (request.Method == RequestCode.Get || (request.Method == RequestCode.Fetch && hash is not null)) { Out.Emit(request); }
        else { Answer(request, BlockwiseResponse.Gone()); }
    }

    private static IncomingRequest Whole(IncomingRequest last, ReceiveOutcome.Complete whole)
    {
        last.TakeOver(whole.Charge);
        var options = last.Options.Without(Block1.Declaration.Number).Without(IfNoneMatch.Declaration.Number);
        return last.WithBody(last.Message.With(whole.IsForNew ? options.With(new IfNoneMatch()) : options, whole.Body), whole.Acknowledgement);
    }

    private void Reject(IncomingRequest request, ReceiveOutcome.Rejected fault) => Answer(request, BlockwiseResponse.Rejection(fault));

    private void Answer(IncomingRequest request, CoapResponse response) => Answers.Emit(new Answer(request, response, isAcknowledged: false));
}
