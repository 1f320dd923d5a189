using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Cuts the requested block out of a response, or the first block if the response does not fit into a message (RFC 7959, section 2.4).</summary>
internal sealed class ResponseBodyStage(ExchangeLane lane, ServedBodyStore bodies, RequestFailures failures) : InlineStage<Answer, Answer>
{
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <summary>The blocks that were read from streams.</summary>
    public Output<Answer> Read => field ??= Port<Answer>();

    protected override void Process(in Answer item)
    {
        var (request, response) = (item.Request, item.Response);
        if (item.Sender is null && OwnTags.Validate(request, response) is var validated && validated != response)
        {
            Out.Emit(item with { Response = validated });
            return;
        }
        var asks = (request.Options.Seen & Block2Bit) != 0;
        if (request.Streamed is { } streamed) { streamed.OnAnswer(response); }
        else if (request.Connection is { IsClosed: true })
        {
            response.CloseSource();    // the peer cannot ask for the rest of it
            Out.Emit(item);
        }
        else if (response.Source is not null) { OnStream(item); }
        else if (!asks && request.LastBlock is null && ResponseRoom.Of(bodies, request, response).Fits(response)) { Out.Emit(item); }
        else { Slice(item, asks ? request.Options.Get<Block2>() : null); }
    }

    private void Slice(in Answer item, Block2? wanted)
    {
        var request = item.Request;
        bodies.Follow(request);
        var sliced = BlockwiseResponse.First(lane, bodies, request, item.Response, wanted, isReply: item.Sender is null);
        bodies.ScheduleExpiry();
        if (request.LastBlock is { } last && !sliced.Options.Contains<Block1>()) { sliced = sliced.With(last); }
        Out.Emit(item with { Response = sliced });
    }

    private void OnStream(in Answer item)
    {
        bodies.Follow(item.Request);
        if (item.Sender is null && item.Request.Method.IsSafe && ServedBodyStore.MustVerify(item.Request))
        {
            item.Response.CloseSource();
            Out.Emit(item with { Response = lane.Addresses!.Challenge(item.Request.Peer) });
            return;
        }
        var (request, response) = (item.Request, WithETag(item.Response));
        var streamed = new StreamedDownload(lane, bodies, request, response, Read, failures);
        if (bodies.TryAdd(streamed)) { streamed.Serve(item, request.Options.Get<Block2>(), isFirst: true); }
        else
        {
            response.CloseSource();
            Out.Emit(item with { Response = BlockwiseResponse.NoRoom(streamed.IsSafe, bodies.UntilRoom()) });
        }
    }

    // The next stream may have other bytes, so each stream gets its own ETag.
    private CoapResponse WithETag(CoapResponse response)
    {
        if (!RepresentationTags.Wants(response)) { return response; }
        return new CoapResponse(response.Code) { Options = response.Options.With(RepresentationTags.NewTag(lane.Random)), Source = response.Source };
    }
}
