using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Blockwise;

// Where a response cannot be sent, the client is told as clearly as the RFCs allow:
// - 4.13: the body needs a block number over 20 bits at the size that the client asks for (RFC 7959, section 2.2); larger blocks would do.
// - 4.00: the block begins behind the end of the body.
// - 5.03 with Max-Age: there is no room to keep the response of a GET or FETCH, which may be asked for again.
// - 5.00: the response is larger than what is kept, or there is no room and the request, carried out already, must not be repeated.

/// <summary>Makes messages of responses that are larger than a message (RFC 7959, section 2.4; RFC 8323, section 6).</summary>
internal static class BlockwiseResponse
{
    private static readonly ulong Size2Bit = OptionNumber.SeenBit(Size2.Declaration.Number);
    private static readonly int ObserveNumber = Observe.Declaration.Number;

    /// <summary>The block of a response that a handler has just given; the response itself where it goes as it is.</summary>
    public static CoapResponse First(ExchangeLane lane, LaneBodies bodies, IncomingRequest request, CoapResponse response, Block2? wanted)
    {
        var room = MessageRoom.Of(bodies, request);
        var isLater = wanted is { BlockNumber: > 0 };
        if (response.Payload.IsEmpty && !(isLater && response.IsSuccess && response.Code.MayHavePayload)) { return response; }
        if (response.Options.Contains<Block2>() || (isLater && !response.IsSuccess) || (wanted is null && room.Fits(response))) { return response; }
        if (!MessageRoom.MayCut(request, wanted) || !room.TryFindSize(response.Options, Preferred(bodies, request, wanted), out var most, out var bytes)) { return response; }
        var size = BodySlice.Agree(wanted, most);
        var total = response.Payload.Length;
        if (total > size.MaxBody) { return TooManyBlocks(total, size); }
        if (BodySlice.Cut(total, wanted, size, bytes) is not { } slice) { return BehindTheEnd(wanted!, total); }
        if (slice is { Offset: 0, Block.HasMore: false }) { return With(response, [slice.Block, .. SizeOf(request, total, isFirst: false)]); }
        return Keep(lane, bodies, request, WithETag(response), slice);
    }

    /// <summary>A further block of a response that is kept.</summary>
    public static CoapResponse Further(ExchangeLane lane, LaneBodies bodies, IncomingRequest request, ResponseBody body, Block2 wanted)
    {
        var room = MessageRoom.Of(bodies, request);
        if (!room.TryFindSize(body.Options, Preferred(bodies, request, wanted), out var most, out var bytes))
        {
            return new CoapResponse(ResponseCode.InternalServerError);
        }
        var size = BodySlice.Agree(wanted, most);
        if (BodySlice.Cut(body.Bytes.Length, wanted, size, bytes) is not { } slice) { return BehindTheEnd(wanted, body.Bytes.Length); }
        if (!slice.Block.HasMore && body.IsSafe) { bodies.Kept.Remove(body); }
        var options = body.Options.With([slice.Block, .. SizeOf(request, body.Bytes.Length, isFirst: false)]);
        return new CoapResponse(body.Code) { Options = options, Payload = body.Bytes.Slice((int)slice.Offset, slice.Length) };
    }

    /// <summary>The same response with more options.</summary>
    public static CoapResponse With(CoapResponse response, params ReadOnlySpan<CoapOption> options) =>
        new(response.Code) { Options = response.Options.With(options), Payload = response.Payload };

    /// <summary>4.08 for a block of a response that is not kept any more, and cannot be made again.</summary>
    public static CoapResponse Gone() => Response.Error(
        ResponseCode.RequestEntityIncomplete, "The response that the block belongs to is not kept any more. Send the request again.");

    private static CoapResponse Keep(ExchangeLane lane, LaneBodies bodies, IncomingRequest request, CoapResponse response, in BodySlice slice)
    {
        var isSafe = request.Method.IsSafe;
        var total = response.Payload.Length;
        if (total > bodies.Limits.MaxBodySize)
        {
            Log.BodyTooLarge(lane.Logger, request.Path, total, bodies.Limits.MaxBodySize);
            return Response.Error(ResponseCode.InternalServerError, $"The response has {total} bytes, more than the server sends in blocks.");
        }
        var body = new ResponseBody(LaneBodies.KeyOf(request), response.Code, response.Options.Without(ObserveNumber), response.Payload)
        {
            IsSafe = isSafe,
            RequestHash = BodyKey.HashOf(request.Payload.Span),
        };
        if ((slice.Block.HasMore || !isSafe) && !bodies.Kept.TryAdd(body, lane.Now)) { return NoRoom(bodies, isSafe); }
        return new CoapResponse(response.Code)
        {
            Options = response.Options.With([slice.Block, .. SizeOf(request, total, isFirst: slice.Offset == 0)]),
            Payload = response.Payload.Slice((int)slice.Offset, slice.Length),
        };
    }

    /// <summary>The largest blocks that we would send to the peer.</summary>
    public static BlockSize Preferred(LaneBodies bodies, IncomingRequest request, Block2? wanted)
    {
        if (!request.IsReliable) { return bodies.Limits.Preferred; }
        return request.ResponseLimits.SupportsBert || (wanted is not null && BlockSize.Of(wanted).IsBert) ? BlockSize.Bert : BlockSize.Largest;
    }

    /// <summary>Whether a response needs an ETag, and can have one that is made for it.</summary>
    /// <remarks>
    /// By it the client sees when the representation changes between two blocks, or when blocks are those of the response to another request
    /// (RFC 7959, section 2.4). Where the response names what was created, it would be the ETag of that (RFC 7252, section 5.10.6).
    /// </remarks>
    public static bool WantsETag(CoapResponse response) =>
        response.IsSuccess && !response.Options.Contains<ETag>()
        && !response.Options.Contains<LocationPath>() && !response.Options.Contains<LocationQuery>();

    private static CoapResponse WithETag(CoapResponse response) =>
        WantsETag(response) ? With(response, BodyKey.TagOf(response.Payload.Span, response.ContentFormat)) : response;

    private static CoapOption[] SizeOf(IncomingRequest request, int total, bool isFirst) =>
        isFirst || (request.Options.Seen & Size2Bit) != 0 ? [new Size2((uint)total)] : [];

    /// <summary>4.13 for a body that needs numbers over 20 bits.</summary>
    public static CoapResponse TooManyBlocks(long total, BlockSize size) => Response.Error(
        ResponseCode.RequestEntityTooLarge, $"The response has {total} bytes; blocks of {size} carry at most {size.MaxBody}. Ask for larger ones.");

    /// <summary>4.00 for a block that is not there.</summary>
    public static CoapResponse BehindTheEnd(Block2 wanted, long total) =>
        Response.Error(ResponseCode.BadRequest, $"Block {wanted.BlockNumber} of {BlockSize.Of(wanted)} begins behind the end; the response has {total} bytes.");

    /// <summary>What becomes of a response that cannot be kept.</summary>
    public static CoapResponse NoRoom(LaneBodies bodies, bool isSafe) => isSafe
        ? Response.Unavailable(bodies.UntilRoom())
        : Response.Error(ResponseCode.InternalServerError, "The request was carried out, but there is no room for its response.");
}
