using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Streams;

/// <summary>Matches responses to the requests of the same connection, ignores Empty messages, and passes requests on (RFC 8323, section 3.3).</summary>
internal sealed class StreamMatchingStage(ExchangeLane lane, OptionRegistry understood, IReadOnlyList<IResponseTaker> takers)
    : InlineStage<ReceivedMessage, ReceivedMessage>
{
    /// <summary>Refusals of requests that arrive during shutdown.</summary>
    public Output<OutgoingMessage> Reactions { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Reactions.Complete();
    }

    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Code.IsResponse) { OnResponse(item); }
        else if (message.Code.IsRequest && lane.IsDraining) { Refuse(item); }
        else if (message.Code.IsRequest) { Out.Emit(item); }
    }

    private void OnResponse(in ReceivedMessage item)
    {
        var response = item.Message;
        // The scope of a token is its connection (RFC 8323, section 3.3).
        if (!lane.Exchanges.TryFind(response.Token, item.Key, out var owner) || owner.Link != item.Frame.Link)
        {
            if (!TryGive(item)) { lane.Metrics[LaneMetrics.Unmatched]++; }
            return;
        }
        if (!OptionCheck.FindUnrecognizedCritical(response.Options, understood, response.Code, out var number))
        {
            owner.Complete(response);
            return;
        }
        owner.Fail(new CoapTransportException(
            $"The response of {owner.Key.Peer} was rejected: its critical option {number} is not supported (RFC 7252, section 5.4.1)."));
    }

    private bool TryGive(in ReceivedMessage item)
    {
        var isUnderstood = !OptionCheck.FindUnrecognizedCritical(item.Message.Options, understood, item.Message.Code, out _);
        foreach (var taker in takers)
        {
            if (taker.TryTake(item, isUnderstood)) { return true; }
        }
        return false;
    }

    private void Refuse(in ReceivedMessage item)
    {
        lane.Metrics[LaneMetrics.DroppedAtEnd]++;
        var refusal = new CoapMessage { Code = ResponseCode.ServiceUnavailable, Token = item.Message.Token };
        Reactions.Emit(new OutgoingMessage(item.Key, refusal) { Link = item.Frame.Link });
    }
}
