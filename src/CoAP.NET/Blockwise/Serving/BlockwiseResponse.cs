using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

// A response that cannot be sent is replaced by the most specific error that the RFCs allow:
// - 4.13: at the requested block size, the body needs block numbers over 20 bits (RFC 7959, section 2.2). Larger blocks would work.
// - 4.00: the block starts after the end of the body.
// - 5.03 with Max-Age: there is no room to keep the response to a GET or FETCH, which the client may repeat.
// - 5.00: the response is too large to keep, or there is no room for it and the client must not repeat the request.

/// <summary>Cuts responses that are larger than a message into blocks (RFC 7959, section 2.4; RFC 8323, section 6).</summary>
internal static class BlockwiseResponse
{
    private static readonly ulong Size2Bit = OptionNumber.SeenBit(Size2.Declaration.Number);
    private static readonly int ObserveNumber = Observe.Declaration.Number;

    /// <summary>Returns the requested block of a handler's response, or the response itself if it is sent whole.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="bodies">The store that keeps the response.</param>
    /// <param name="request">The request.</param>
    /// <param name="response">The response.</param>
    /// <param name="wanted">The requested block; <see langword="null"/> if the request names none.</param>
    /// <param name="isReply">Whether the response is sent as the reply to the request, so that a challenge can take its place.</param>
    public static CoapResponse First(
        ExchangeLane lane, ServedBodyStore bodies, IncomingRequest request, CoapResponse response, Block2? wanted, bool isReply)
    {
        var room = ResponseRoom.Of(bodies, request, response);
        var isLater = wanted is { BlockNumber: > 0 };
        if (response.Payload.IsEmpty && !(isLater && response.IsSuccess && response.Code.MayHavePayload)) { return response; }
        if (response.Options.Contains<Block2>() || (isLater && !response.IsSuccess) || (wanted is null && room.Fits(response))) { return response; }
        if (!room.TryFindSize(response.Options, Preferred(bodies, request, wanted), out var most, out var bytes)) { return response; }
        var size = BodySlice.Agree(wanted, most);
        var total = response.Payload.Length;
        if (total > size.MaxBody) { return TooManyBlocks(total, size); }
        if (BodySlice.Cut(total, wanted, size, bytes) is not { } slice) { return PastTheEnd(wanted!, total); }
        if (slice is { Offset: 0, Block.HasMore: false }) { return response.With([slice.Block, .. SizeOf(request, total, isFirst: false)]); }
        // The next block is cut out of another response, so a random tag is no use.
        if (isReply && ServedBodyStore.MustChallenge(request, response)) { return lane.Addresses!.Challenge(request.Peer); }
        var cut = Keep(lane, bodies, request, WithETag(request, response), slice);
        return room.OffersEcho && cut.IsSuccess && slice.Block.HasMore ? cut.With(lane.Addresses!.Mint(request.Peer)) : cut;
    }

    /// <summary>Returns a further block of a kept response.</summary>
    public static CoapResponse Further(ExchangeLane lane, ServedBodyStore bodies, IncomingRequest request, ResponseBody body, Block2 wanted)
    {
        var room = ResponseRoom.Of(bodies, request);
        if (!room.TryFindSize(body.Options, Preferred(bodies, request, wanted), out var most, out var bytes))
        {
            return NoBlockFits();
        }
        var size = BodySlice.Agree(wanted, most);
        if (BodySlice.Cut(body.Bytes.Length, wanted, size, bytes) is not { } slice) { return PastTheEnd(wanted, body.Bytes.Length); }
        if (!slice.Block.HasMore && body.IsSafe) { bodies.Kept.Remove(body); }
        var options = body.Options.With([slice.Block, .. SizeOf(request, body.Bytes.Length, isFirst: false)]);
        return new CoapResponse(body.Code, options, body.Bytes.Slice((int)slice.Offset, slice.Length));
    }

    /// <summary>Returns 4.08 for a block of a response that is no longer kept and cannot be created again.</summary>
    public static CoapResponse Gone() => Response.Error(
        ResponseCode.RequestEntityIncomplete, "The server no longer keeps the response that the block belongs to. Send the request again.");

    /// <summary>Returns 5.00 for a response whose options leave no room for a block.</summary>
    public static CoapResponse NoBlockFits() => Response.Error(
        ResponseCode.InternalServerError, "The options of the response leave no room for a block in a message.");

    private static CoapResponse Keep(ExchangeLane lane, ServedBodyStore bodies, IncomingRequest request, CoapResponse response, in BodySlice slice)
    {
        var isSafe = request.Method.IsSafe;
        var total = response.Payload.Length;
        if (total > bodies.Limits.MaxBodySize)
        {
            lane.Log.BodyTooLarge(request, total, bodies.Limits.MaxBodySize);
            return Response.Error(ResponseCode.InternalServerError, $"The response has {total} bytes, which is more than the server sends in blocks.");
        }
        var options = response.Options.With([slice.Block, .. SizeOf(request, total, isFirst: slice.Offset == 0)]);
        var cut = new CoapResponse(response.Code, options, response.Payload.Slice((int)slice.Offset, slice.Length));
        // For an address that may be forged, the handler creates the body again for each block.
        if (isSafe && (!slice.Block.HasMore || ServedBodyStore.MustVerify(request))) { return cut; }
        var kept = KeptPayload.Of(request, response);
        var body = new ResponseBody(ServedBodyStore.KeyOf(request), response.Code, response.Options.Without(ObserveNumber), kept)
        {
            IsSafe = isSafe,
            RequestHash = BodyKey.HashOf(request.Payload.Span),
        };
        return bodies.Kept.TryAdd(body, lane.Now) ? cut : NoRoom(isSafe, bodies.UntilRoom());
    }

    /// <summary>Returns the largest block size for the peer.</summary>
    public static BlockSize Preferred(ServedBodyStore bodies, IncomingRequest request, Block2? wanted)
    {
        if (!request.IsReliable) { return bodies.Limits.Preferred; }
        return request.ResponseLimits.SupportsBert || (wanted is not null && BlockSize.Of(wanted).IsBert) ? BlockSize.Bert : BlockSize.Largest;
    }

    private static CoapResponse WithETag(IncomingRequest request, CoapResponse response) =>
        RepresentationTags.Wants(response) ? response.With(RepresentationTags.Of(request, response)) : response;

    private static CoapOption[] SizeOf(IncomingRequest request, int total, bool isFirst) =>
        isFirst || (request.Options.Seen & Size2Bit) != 0 ? [new Size2((uint)total)] : [];

    /// <summary>Returns the answer to a block that does not fit to the blocks before it.</summary>
    public static CoapResponse Rejection(ReceiveOutcome.Rejected rejected) =>
        Response.Error(rejected.Code, rejected.Diagnostic, rejected.Hint is { } hint ? [hint] : []);

    /// <summary>Returns 4.13 for a body that needs block numbers over 20 bits.</summary>
    public static CoapResponse TooManyBlocks(long total, BlockSize size) => Response.Error(
        ResponseCode.RequestEntityTooLarge, $"The response has {total} bytes; blocks of {size} carry at most {size.MaxBody}. Ask for larger blocks.");

    /// <summary>Returns 4.00 for a block that does not exist.</summary>
    public static CoapResponse PastTheEnd(Block2 wanted, long total) => Response.Error(
        ResponseCode.BadRequest, $"Block {wanted.BlockNumber} of {BlockSize.Of(wanted)} starts after the end of the response, which has {total} bytes.");

    /// <summary>Returns 4.00 for a block of a stream that would have to read too much before it.</summary>
    public static CoapResponse TooFar(Block2 wanted) => Response.Error(
        ResponseCode.BadRequest,
        $"Block {wanted.BlockNumber} of {BlockSize.Of(wanted)} is more than {StreamBlockReader.MaxSkip} bytes behind the last one. "
            + "Ask in order.");

    /// <summary>Returns the error that replaces a response for which there is no room.</summary>
    public static CoapResponse NoRoom(bool isSafe, TimeSpan untilRoom) => isSafe
        ? Response.Unavailable(untilRoom)
        : Response.Error(ResponseCode.InternalServerError, "The server has handled the request but has no room for the response.");
}
