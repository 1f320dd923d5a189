using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Robust;

/// <summary>Sends responses that do not fit into a message with Q-Block2, to clients that have used Q-Block (RFC 9177, section 4.1).</summary>
internal sealed class RobustResponseStage(
    ExchangeLane lane, EndpointAuthorization authorization, RobustBodyStore robust, IObserverList observers)
    : InlineStage<Answer, Answer>
{
    /// <summary>The first blocks and errors, which the next stage must not cut again.</summary>
    public Output<Answer> Served => field ??= Port<Answer>();

    protected override void Process(in Answer item)
    {
        if (item.Request.Transfer != robust)
        {
            Out.Emit(item);
            return;
        }
        var request = item.Request;
        var key = ServedBodyStore.KeyOf(request);
        robust.TryFind(key, out RobustRequestBody? body);
        var room = ResponseRoom.Of(robust.Bodies, request);
        var asked = request.Options.GetAll<QBlock2>();
        var exceedsAsked = asked.Count > 0 && item.Response.IsSuccess && item.Response.Payload.Length > BlockSize.Of(asked[0]).Bytes;
        if ((room.Fits(item.Response) && !exceedsAsked) || item.Response.Options.Contains<Block2>()
            || !room.TryFindSize(item.Response.Options, robust.Bodies.Limits.Preferred, out var most, out _))
        {
            if (body is not null) { robust.Remember(body, request, item.Response); }
            if (asked is [{ BlockNumber: 0 }] && TryMark(item.Response, asked[0], room) is { } marked) { Served.Emit(item with { Response = marked }); }
            else { Out.Emit(item); }
            return;
        }
        if (item.Sender is null && ServedBodyStore.MustChallenge(request, item.Response))
        {
            Served.Emit(item with { Response = lane.Addresses!.Challenge(request.Peer) });
            return;
        }
        var size = asked.Count == 0 ? most : BlockSize.Min(BlockSize.Of(asked[0]), most);
        Serve(item, key, asked, size);
    }

    private void Serve(in Answer item, in BodyKey key, IReadOnlyList<QBlock2> asked, BlockSize size)
    {
        var (request, response) = (item.Request, item.Response);
        if (response.Payload.Length > size.MaxBody)
        {
            Refuse(item, ResponseCode.RequestEntityTooLarge, $"The response has {response.Payload.Length} bytes, which is too much for blocks of {size}.");
            return;
        }
        var isWhole = asked is [] or [{ BlockNumber: 0, HasMore: true }];
        // An unverified address gets one message per request (RFC 9175, section 2.4).
        var isSingle = request.Allowance != int.MaxValue;
        // All messages of a body have the same type (RFC 9177, section 7). An observation decides about that of its notification.
        var isConfirmable = (item.Sender?.IsConfirmable ?? (request.Message.Type == MessageType.Confirmable)) && !isSingle;
        var flows = isWhole && !isSingle && !isConfirmable;
        var kept = new CoapResponse(response.Code, WithETag(request, response), KeptPayload.Of(request, response));
        var serving = new RobustDownloadServer(
            kept.Code, kept.Options, kept.Payload, size, request.Message.Token, robust.Settings, lane.Now,
            lane.Random.NextDouble(), flows ? 0 : int.MaxValue);
        var entry = new RobustResponseBody(lane, robust, key, request, kept, serving, authorization, observers);
        // For an address that may be forged, the handler creates the body again for each block.
        var isKept = !request.Method.IsSafe || !ServedBodyStore.MustVerify(request);
        if (isKept && !robust.TryAdd(entry, kept.Payload.Length))
        {
            Served.Emit(item with { Response = BlockwiseResponse.NoRoom(request.Method.IsSafe, robust.Settings.NonPartialTimeout) });
            return;
        }
        if (!flows && !isConfirmable) { AskFor(serving, request, asked, isSingle); }
        if (!(isConfirmable ? entry.Confirmable.TryBegin(request.Message, out var first) : serving.TryNext(lane.Now, out first)))
        {
            robust.Remove(entry);
            Refuse(item, ResponseCode.BadRequest, $"The requested block does not exist; the response has {response.Payload.Length} bytes in blocks of {size}.");
            return;
        }
        Served.Emit(item with { Response = new CoapResponse(first.Code, first.Options, first.Payload) });
        if (!isKept) { return; }
        if (item.Sender is { IsConfirmable: true } sender) { Await(sender, entry); }
        entry.Confirmable.Send();
        entry.Advance();
    }

    // A notification is acknowledged before the next block of its body is sent.
    private static void Await(IRegistration sender, RobustResponseBody entry)
    {
        entry.Confirmable.IsHeld = true;
        sender.WhenAcknowledged(() =>
        {
            entry.Confirmable.IsHeld = false;
            entry.OnDeadline();
        });
    }

    // A body in one block says so. Clients such as libcoap conclude from the option that the server supports Q-Block (RFC 9177, section 4.1).
    private static CoapResponse? TryMark(CoapResponse response, QBlock2 asked, in ResponseRoom room)
    {
        if (!response.IsSuccess || response.Payload.IsEmpty || response.Payload.Length > room.MaxPayloadWith(response.Options)) { return null; }
        var options = response.Options.Without(Size2.Declaration.Number)
            .With(new Size2((uint)response.Payload.Length), new QBlock2(0, hasMore: false, asked.SizeExponent));
        return new CoapResponse(response.Code, options, response.Payload);
    }

    private void Refuse(in Answer item, CoapCode code, string diagnostic) => Served.Emit(item with { Response = Response.Error(code, diagnostic) });

    private void AskFor(RobustDownloadServer serving, IncomingRequest request, IReadOnlyList<QBlock2> asked, bool isSingle)
    {
        if (isSingle) { serving.OnSingleRequest(request.Message, lane.Now); }
        else if (asked is [] or [{ BlockNumber: 0 }]) { serving.Remind(request.Message.Token, lane.Now); }
        else { serving.OnRequest(request.Message, lane.Now); }
    }

    // Each body needs its own ETag (RFC 9177, section 4.4). Equal bodies get equal ETags, so that a client can resume after the server has dropped one.
    private static OptionSet WithETag(IncomingRequest request, CoapResponse response) =>
        response.Options.Contains<ETag>() ? response.Options : response.Options.With(RepresentationTags.Of(request, response));
}
