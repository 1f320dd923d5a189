namespace CoAP.Exchanges;

/// <summary>Adds to requests the Echo value that their peer has given (RFC 9175, section 2.3).</summary>
internal sealed class EchoStage : InlineStage<OutgoingRequest, OutgoingRequest>
{
    protected override void Process(in OutgoingRequest item)
    {
        var sender = item.Sender;
        if (sender.Echoes is { } echoes && (sender.RequestedEcho ?? echoes.EchoFor(sender.Key)) is { } echo
            && echoes.CanAdd(echo, item.Options, item.Payload.Length))
        {
            Out.Emit(item.With(item.Options.With(echo)));
        }
        else { Out.Emit(item); }
    }
}
