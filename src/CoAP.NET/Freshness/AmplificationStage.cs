using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Freshness;

/// <summary>Limits the size of answers to addresses that may be forged (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// The stage keeps no state per sender. Each datagram has its own allowance, and so has each duplicate, which limits the size of its replay.
/// </remarks>
internal sealed class AmplificationStage(ExchangeLane lane, TransmissionParameters transmission) : InlineStage<Answer, Answer>
{
    private const int EmptyAcknowledgement = DatagramHeader.Length;

    protected override void Process(in Answer item)
    {
        var request = item.Request;
        if (lane.Addresses is not { } addresses || item.Sender is not null || !request.RepliesToPeer
            || (!item.IsAcknowledged && item.Registration is null && request.SizeOf(item.Response) <= addresses.MinAllowance))
        {
            Out.Emit(item);
            return;
        }
        var allowance = request.Allowance - (item.IsAcknowledged ? EmptyAcknowledgement : 0) - (item.Registration?.LastMessageSize ?? 0);
        var size = request.SizeOf(item.Response);
        if (size > allowance)
        {
            lane.Metrics[LaneCounters.LimitedAnswers]++;
            Out.Emit(item with { Response = Smaller(request, item.Response, allowance), MaxTransmissions = 1 });
            return;
        }
        Out.Emit(item.IsAcknowledged ? item with { MaxTransmissions = TransmissionsOf(item, allowance / size) } : item);
    }

    // A separate response is sent as often as the allowance permits. The answer to a registration that cannot have all retransmissions has none, because the
    // notifications need the rest of the allowance.
    private int TransmissionsOf(in Answer answer, int allowed)
    {
        if (allowed > transmission.MaxRetransmit) { return 0; }
        return answer.Registration is null ? allowed : 1;
    }

    private CoapResponse Smaller(IncomingRequest request, CoapResponse response, int allowance) =>
        request.Method.IsSafe ? lane.Addresses!.Challenge(request.Peer) : Cut(request, response, allowance);

    // The handler has run, and a 4.01 would make the client repeat the request. The Echo option allows the next answer to be whole.
    private CoapResponse Cut(IncomingRequest request, CoapResponse response, int allowance)
    {
        var echo = lane.Addresses!.Mint(request.Peer);
        var options = response.Options.Without(Block2.Declaration.Number).Without(echo.Number);
        var cut = new CoapResponse(response.Code) { Options = options.With(echo) };
        return request.SizeOf(cut) <= allowance ? cut : new CoapResponse(response.Code) { Options = [echo] };
    }
}
