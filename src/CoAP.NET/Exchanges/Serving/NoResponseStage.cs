using CoAP.Blocks;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>Sends no responses that the client does not want; a confirmable request gets its empty acknowledgement all the same (RFC 7967, section 2.1).</summary>
/// <remarks>2.31 (Continue) is no answer to the request but a part of its transfer, and goes out always.</remarks>
internal sealed class NoResponseStage(LaneContext lane, Deduplication? deduplication = null) : InlineStage<Answer, Answer>
{
    private static readonly ulong NoResponseBit = OptionNumber.SeenBit(NoResponse.Declaration.Number);

    protected override void Process(in Answer item)
    {
        if ((item.Request.Options.Seen & NoResponseBit) != 0 && item.Sender is null && IsUnwanted(item)) { Settle(item); }
        else { Out.Emit(item); }
    }

    private static bool IsUnwanted(in Answer item) =>
        item.Response.Code != ResponseCode.Continue && item.Request.Options.Get<NoResponse>()?.Suppresses(item.Response.Code) == true;

    private void Settle(in Answer item)
    {
        var request = item.Request;
        if (request.Stream is { } stream)
        {
            if (!stream.IsClosed) { stream.RequestFinished(request.Generation); }
            return;
        }
        var retention = ResponseHandler.ClassOf(request.Method);
        if (request.NeedsAcknowledgement && !item.IsAcknowledged)
        {
            lane.Send(Reactions.Acknowledge(request.Key, request.Message.MessageId) with { Ticket = request.Ticket, Retention = retention });
        }
        else
        {
            deduplication!.Retain(request.Ticket, retention, default, lane.Now);
        }
    }
}
