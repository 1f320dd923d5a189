using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Sends answers as messages of the transport, and ends their requests. Every answer passes through this stage.</summary>
internal sealed class ReplyStage(ExchangeLane lane) : InlineStage<Answer, OutgoingMessage>
{
    private static readonly ulong AcceptBit = OptionNumber.SeenBit(Accept.Declaration.Number);
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    /// <summary>Returns the response, or 4.06 (Not Acceptable) if its format is one that the client does not accept.</summary>
    /// <remarks>A handler with a single format can therefore ignore Accept. The answer to an unsafe method stands, because the handler has acted.</remarks>
    public static CoapResponse Acceptable(IncomingRequest request, CoapResponse response)
    {
        if ((request.Options.Seen & AcceptBit) == 0 || !response.IsSuccess || !request.Method.IsSafe) { return response; }
        return response.ContentFormat is { } format && request.Accept is { } wanted && format != wanted ? NotAcceptable : response;
    }

    protected override void Process(in Answer item)
    {
        if (item.Registration is { } registration && !item.Response.IsSuccess) { registration.Revoke(); }
        if (item.Sender is { } sender)
        {
            sender.Send(item.Response);
            return;
        }
        var acceptable = Acceptable(item.Request, item.Response);
        if (!acceptable.IsSuccess) { lane.EndObservation(item.Request); }
        lane.Log.Answered(item.Request, acceptable.Code);
        item.Request.Reply(ReferenceEquals(acceptable, item.Response) ? item : item with { Response = acceptable }, Out);
    }
}
