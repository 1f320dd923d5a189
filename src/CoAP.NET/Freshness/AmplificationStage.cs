using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Freshness;

/// <summary>Keeps answers to addresses that may be forged small (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// Nothing is remembered of who asks: each datagram brings its own allowance, its duplicates too, whose replay is as long as they allow.
/// </remarks>
internal sealed class AmplificationStage(ExchangeLane lane) : InlineStage<Answer, Answer>
{
    private const int EmptyAcknowledgement = DatagramHeader.Length;

    protected override void Process(in Answer item)
    {
        var request = item.Request;
        if (lane.Addresses is not { } addresses || item.Sender is not null || (!item.IsAcknowledged && request.SizeOf(item.Response) <= addresses.LeastAllowance))
        {
            Out.Emit(item);
            return;
        }
        var allowance = request.Allowance - (item.IsAcknowledged ? EmptyAcknowledgement : 0);
        var size = request.SizeOf(item.Response);
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

    private CoapResponse Smaller(IncomingRequest request, CoapResponse response, int allowance) =>
        request.Method.IsSafe ? lane.Addresses!.Challenge(request.Peer) : Cut(request, response, allowance);

    // The handler has run: with a 4.01 the client would have it run again. The Echo lets the next answer be whole.
    private CoapResponse Cut(IncomingRequest request, CoapResponse response, int allowance)
    {
        var echo = lane.Addresses!.Mint(request.Peer);
        var options = response.Options.Without(Block2.Declaration.Number).Without(echo.Number);
        var cut = new CoapResponse(response.Code) { Options = options.With(echo) };
        return request.SizeOf(cut) <= allowance ? cut : new CoapResponse(response.Code) { Options = [echo] };
    }
}
