using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Robust;

/// <summary>Sends responses that do not fit into a message in Q-Block2, to clients that have shown that they know it (RFC 9177, section 4.1).</summary>
internal sealed class RobustResponseStage(ExchangeLane lane, RobustBodyStore robust) : InlineStage<Answer, Answer>
{
    /// <summary>First blocks, which nobody has to cut.</summary>
    public Output<Answer> Served { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Served.Complete();
    }

    protected override void Process(in Answer item)
    {
        if (!item.Request.AsksRobustly)
        {
            Out.Emit(item);
            return;
        }
        var request = item.Request;
        var key = ServedBodyStore.KeyOf(request);
        robust.TryFind(key, out RobustRequestBody? upload);
        var room = ResponseRoom.Of(robust.Bodies, request);
        if (room.Fits(item.Response) || item.Response.Options.Contains<Block2>()
            || !room.TryFindSize(item.Response.Options, robust.Bodies.Limits.Preferred, out var most, out _))
        {
            upload?.Answered(item.Response);
            Out.Emit(item);
            return;
        }
        var asked = request.Options.GetAll<QBlock2>();
        var size = asked.Count == 0 ? most : BlockSize.Min(BlockSize.Of(asked[0]), most);
        Serve(item, key, asked, size);
    }

    private void Serve(in Answer item, in BodyKey key, IReadOnlyList<QBlock2> asked, BlockSize size)
    {
        var (request, response) = (item.Request, item.Response);
        if (response.Payload.Length > size.MaxBody)
        {
            Served.Emit(item with { Response = Response.Error(ResponseCode.RequestEntityTooLarge, $"The response has {response.Payload.Length} bytes, too many for blocks of {size}.") });
            return;
        }
        var isWhole = asked is [] or [{ BlockNumber: 0, HasMore: true }];
        // An address that may be forged gets one message for each of its own (RFC 9175, section 2.4); so does a confirmable request.
        var isSingle = request.Message.Type == MessageType.Confirmable || request.Allowance != int.MaxValue;
        var flows = isWhole && !isSingle;
        var serving = new RobustServing(
            response.Code, WithETag(response), response.Payload, size, request.Message.Token, robust.Settings, lane.Now,
            lane.Random.NextDouble(), flows ? 0 : int.MaxValue);
        var entry = new RobustResponseBody(lane, robust, key, request, serving);
        if (!robust.TryServe(entry, response.Payload.Length))
        {
            Served.Emit(item with { Response = NoRoom(request) });
            return;
        }
        if (!flows) { AskFor(serving, request, asked, isSingle); }
        if (!serving.TryNext(lane.Now, out var first))
        {
            robust.Remove(entry);
            Served.Emit(item with { Response = Response.Error(ResponseCode.BadRequest, $"The response has no such block; it has {response.Payload.Length} bytes, in blocks of {size}.") });
            return;
        }
        Served.Emit(item with { Response = new CoapResponse(first.Code) { Options = first.Options, Payload = first.Payload } });
        entry.Advance();
    }

    private void AskFor(RobustServing serving, IncomingRequest request, IReadOnlyList<QBlock2> asked, bool isSingle)
    {
        if (isSingle) { serving.OnSingleRequest(request.Message, lane.Now); }
        else if (asked is [] or [{ BlockNumber: 0 }]) { serving.Remind(request.Message.Token, lane.Now); }
        else { serving.OnRequest(request.Message, lane.Now); }
    }

    // RFC 9177, section 4.4: different for each body; the same body may have the same one, so that its rest can be fetched when it was forgotten.
    private static OptionSet WithETag(CoapResponse response)
    {
        if (response.Options.Contains<ETag>()) { return response.Options; }
        return response.Options.With(BodyKey.TagOf(response.Payload.Span, response.ContentFormat));
    }

    private CoapResponse NoRoom(IncomingRequest request) => request.Method.IsSafe
        ? Response.Unavailable(robust.Settings.NonPartialTimeout)
        : Response.Error(ResponseCode.InternalServerError, "The request was carried out, but there is no room for its response.");
}
