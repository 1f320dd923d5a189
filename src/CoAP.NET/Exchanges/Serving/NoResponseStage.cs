using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Suppresses responses that the client does not want. A confirmable request is still acknowledged (RFC 7967, section 2.1).</summary>
/// <remarks>2.31 (Continue) is part of a transfer and is always sent.</remarks>
internal sealed class NoResponseStage(ExchangeLane lane, IObserverList observers) : InlineStage<Answer, Answer>
{
    private static readonly ulong NoResponseBit = OptionNumber.SeenBit(NoResponse.Declaration.Number);

    /// <summary>Acknowledgements of requests whose response is suppressed.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in Answer item)
    {
        if ((item.Request.Options.Seen & NoResponseBit) != 0 && item.Sender is null && item.Request.RepliesToPeer && IsUnwanted(item))
        {
            if (!item.Response.IsSuccess) { observers.EndObservation(item.Request); }
            lane.Log.Suppressed(item.Request, item.Response.Code);
            item.Request.Suppress(item.IsAcknowledged ? null : Reactions);
        }
        else { Out.Emit(item); }
    }

    private static bool IsUnwanted(in Answer item) =>
        item.Response.Code != ResponseCode.Continue && item.Request.Options.Get<NoResponse>()?.Suppresses(item.Response.Code) == true;
}
