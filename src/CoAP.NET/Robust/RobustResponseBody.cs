using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Robust;

/// <summary>The body of a response that is sent with Q-Block2 (RFC 9177, section 4.4).</summary>
internal sealed class RobustResponseBody(ExchangeLane lane, RobustBodyStore robust, in BodyKey body, IncomingRequest request, RobustDownloadServer serving)
    : RobustBody(lane, robust, body, request.Key)
{
    public RobustDownloadServer Serving => serving;

    /// <summary>Sends the messages that are due, and schedules the next ones.</summary>
    public void Advance()
    {
        while (serving.TryNext(Lane.Now, out var part)) { TrySend(part); }
        if (serving.IsOver) { Drop(); }
        else { Lane.WakeAt(this, serving.Deadline); }
    }

    public override void OnDeadline() => Advance();

    protected override void Drop() => Robust.Remove(this);
}
