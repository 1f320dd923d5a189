using CoAP.Blocks;
using CoAP.Channels;
using CoAP.Options;

namespace CoAP.Handlers;

/// <summary>Cuts the block out of a response that is asked for, or the first one where the response does not fit into a message (RFC 7959, section 2.4).</summary>
internal sealed class BodiesOut(LaneContext lane, LaneBodies bodies) : InlineStage<Answer, Answer>
{
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    protected override void Process(in Answer item)
    {
        var (request, response) = (item.Request, item.Response);
        var asks = (request.Options.Seen & Block2Bit) != 0;
        if (!asks && request.LastBlock is null && MessageRoom.Of(lane, request).Fits(response))
        {
            Out.Emit(item);
            return;
        }
        var wanted = asks ? request.Options.Get<Block2>() : null;
        var sliced = BlockwiseResponse.First(lane, bodies, request, response, wanted);
        bodies.Watch();
        if (request.LastBlock is { } last && !sliced.Options.Contains<Block1>()) { sliced = BlockwiseResponse.With(sliced, last); }
        Out.Emit(item with { Response = sliced });
    }
}
