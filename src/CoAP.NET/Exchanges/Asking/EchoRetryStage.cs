using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>
/// Keeps the Echo values of responses for later requests, and sends a request again, once, if its peer rejected it because it lacked the
/// value (RFC 9175, section 2.3).
/// </summary>
internal sealed class EchoRetryStage : InlineStage<IncomingResponse, IncomingResponse>
{
    protected override void Process(in IncomingResponse item)
    {
        var (message, owner) = (item.Message, item.Owner);
        if ((message.Options.Seen & EchoMemory.Bit) != 0 && owner.Echoes is { } echoes && message.Options.Get<Echo>() is { } echo)
        {
            // What came inside a protection must not be sent in clear. The request itself is protected as before.
            if (!item.IsOfStage) { echoes.Remember(owner.Key, echo); }
            if (message.Code == ResponseCode.Unauthorized && owner.TryRepeat(echo)) { return; }
        }
        Out.Emit(item);
    }
}
