using CoAP.Blocks;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Serialization;

namespace CoAP.Freshness;

/// <summary>Keeps answers to addresses that may be forged small (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// Nothing is remembered of who asks: each datagram brings its own allowance, its duplicates too, whose replay is as long as they allow.
/// </remarks>
internal sealed class AmplificationStage(LaneContext lane, HandlerPipeline pipeline) : InlineStage<Answer, Answer>
{
    private const int EmptyAcknowledgement = DatagramHeader.Length;

    protected override void Process(in Answer item)
    {
        var request = item.Request;
        if (lane.Addresses is not { } addresses || item.Sender is not null || (!item.IsAcknowledged && SizeOf(request, item.Response) <= addresses.LeastAllowance))
        {
            Out.Emit(item);
            return;
        }
        var allowance = lane.AllowanceFor(request) - (item.IsAcknowledged ? EmptyAcknowledgement : 0);
        var size = SizeOf(request, item.Response);
        if (size > allowance)
        {
            lane.Metrics.LimitedAnswers++;
            Out.Emit(item with { Response = Smaller(request, item.Response, allowance), IsSentOnce = true });
            return;
        }
        // A separate response is sent until it is acknowledged, by whoever owns the address.
        var isSentOnce = item.IsAcknowledged && size * (1L + lane.Settings.Transmission.MaxRetransmit) > allowance;
        Out.Emit(item with { IsSentOnce = isSentOnce });
    }

    /// <summary>The length of the datagram that a response makes.</summary>
    public static int SizeOf(ReceivedRequest request, CoapResponse response)
    {
        var token = request.Message.TokenInPlace.Length;
        var payload = response.Payload.Length;
        return DatagramHeader.Length + TokenFormat.ExtendedLength(token) + token + response.Options.Wire.Length + (payload == 0 ? 0 : 1 + payload);
    }

    private CoapResponse Smaller(ReceivedRequest request, CoapResponse response, int allowance) =>
        ResponseHandler.IsSafe(request.Method) ? pipeline.Echoes.Challenge(request.Peer, lane) : Cut(request, response, allowance);

    // The handler has run: with a 4.01 the client would have it run again. The Echo lets the next answer be whole.
    private CoapResponse Cut(ReceivedRequest request, CoapResponse response, int allowance)
    {
        var echo = pipeline.Echoes.Mint(request.Peer, lane);
        var options = response.Options.Without(Block2.Declaration.Number).Without(echo.Number);
        var cut = new CoapResponse(response.Code) { Options = options.With(echo) };
        return SizeOf(request, cut) <= allowance ? cut : new CoapResponse(response.Code) { Options = [echo] };
    }
}
