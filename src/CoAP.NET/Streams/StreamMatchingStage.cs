using CoAP.Blocks;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Stateless;

namespace CoAP.Streams;

/// <summary>Gives responses to the requests that were sent on the same connection, ignores Empty messages, and lets requests pass (RFC 8323, section 3.3).</summary>
internal sealed class StreamMatchingStage(LaneContext lane, OptionRegistry understood) : InlineStage<ReceivedMessage, ReceivedMessage>
{
    private readonly StatelessResponses _stateless = new(lane, understood);

    /// <summary>Responses to requests of which nothing was kept.</summary>
    public Output<StatelessResponse> Stateless => _stateless.Out;

    public override void Complete()
    {
        base.Complete();
        Stateless.Complete();
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
        // Tokens belong to their connection (RFC 8323, section 3.3).
        if (!lane.Exchanges.TryFind(response.Token, item.Key, out var owner) || owner.Channel != item.Frame.Stream)
        {
            if (!_stateless.TryTake(item)) { lane.Metrics.Unmatched++; }
            return;
        }
        if (!OptionCheck.FindUnrecognizedCritical(response.Options, understood, response.Code, out var number))
        {
            owner.Complete(response);
            return;
        }
        owner.Fail(new CoapTransportException(
            $"The response of {owner.Key.Peer} was rejected: its critical option {number} is not understood (RFC 7252, section 5.4.1)."));
    }

    private void Refuse(in ReceivedMessage item)
    {
        lane.Metrics.DroppedAtEnd++;
        var refusal = new CoapMessage { Code = ResponseCode.ServiceUnavailable, Token = item.Message.Token };
        lane.Send(new OutgoingMessage(item.Key, refusal) { Stream = item.Frame.Stream });
    }
}
