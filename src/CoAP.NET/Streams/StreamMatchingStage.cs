using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Streams;

/// <summary>Matches responses to the requests of the same connection, ignores Empty messages, and passes requests on (RFC 8323, section 3.3).</summary>
internal sealed class StreamMatchingStage(ExchangeLane lane, OptionRegistry understood, IReadOnlyList<IResponseTaker> takers)
    : MatchingStage(understood, takers)
{
    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Code.IsResponse) { OnResponse(item); }
        else if (message.Code.IsRequest) { Out.Emit(item); }
    }

    private void OnResponse(in ReceivedMessage item)
    {
        // The scope of a token is its connection (RFC 8323, section 3.3).
        var isKnown = lane.Exchanges.TryFind(item.Message.Token, item.Key, out var owner);
        if (isKnown && owner!.Link == item.Frame.Link) { Deliver(lane, owner, item); }
        else if (!TryGive(item, IsUnderstood(item))) { lane.Metrics[LaneCounters.Unmatched]++; }
    }
}
