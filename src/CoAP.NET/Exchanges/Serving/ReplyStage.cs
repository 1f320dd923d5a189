using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Sends answers in the messages that the transport wants, and ends their requests. Every answer passes through here.</summary>
internal sealed class ReplyStage : InlineStage<Answer, OutgoingMessage>
{
    private static readonly ulong AcceptBit = OptionNumber.SeenBit(Accept.Declaration.Number);
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    /// <summary>Replaces a response in a format that the client does not accept.</summary>
    /// <remarks>A handler that never looks at Accept has one format and sends it. If a handler has changed something, its answer stands.</remarks>
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
        item.Request.Reply(ReferenceEquals(acceptable, item.Response) ? item : item with { Response = acceptable }, Out);
    }
}
