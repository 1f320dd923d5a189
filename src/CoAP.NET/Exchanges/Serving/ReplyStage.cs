namespace CoAP.Exchanges;

/// <summary>Sends answers as messages of the transport, and ends their requests. Every answer passes through this stage.</summary>
internal sealed class ReplyStage(ExchangeLane lane, IObserverList observers) : InlineStage<Answer, OutgoingMessage>
{
    protected override void Process(in Answer item)
    {
        if (item.Registration is { } registration && !item.Response.IsSuccess) { registration.Revoke(); }
        if (item.Sender is { } sender)
        {
            sender.Send(item.Response);
            return;
        }
        var acceptable = item.Request.Acceptable(item.Response);
        if (!acceptable.IsSuccess) { observers.EndObservation(item.Request); }
        lane.Log.Answered(item.Request, acceptable.Code);
        item.Request.Reply(ReferenceEquals(acceptable, item.Response) ? item : item with { Response = acceptable }, Out);
    }
}
