namespace CoAP.Exchanges;

/// <summary>Adds to requests the Echo value that their peer has given (RFC 9175, section 2.3).</summary>
internal sealed class EchoStage : InlineStage<OutgoingRequest, OutgoingRequest>
{
    protected override void Process(in OutgoingRequest item)
    {
        var sender = item.Sender;
        Out.Emit(sender.Echoes is { } echoes
            ? item.With(echoes.AddTo(sender.Key, sender.RequestedEcho, item.Options, item.Payload.Length))
            : item);
    }
}
