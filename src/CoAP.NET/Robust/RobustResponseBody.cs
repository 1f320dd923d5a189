using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Robust;

/// <summary>The body of a response that is sent with Q-Block2 (RFC 9177, section 4.4).</summary>
/// <remarks>A timer sends blocks only while the authorizers' decision is valid. If they deny later blocks, the peer gets one refusal.</remarks>
/// <param name="lane">The lane.</param>
/// <param name="robust">The store that holds the body.</param>
/// <param name="body">The key of the body.</param>
/// <param name="request">The request, which is kept only if authorizers decide about it.</param>
/// <param name="response">The response with the payload that is kept.</param>
/// <param name="serving">Sends the blocks.</param>
/// <param name="authorization">Asks the authorizers.</param>
/// <param name="observers">The observations of the lane.</param>
internal sealed class RobustResponseBody(
    ExchangeLane lane, RobustBodyStore robust, in BodyKey body, IncomingRequest request, CoapResponse response,
    RobustDownloadServer serving, EndpointAuthorization authorization, IObserverList observers)
    : RobustBody(lane, robust, body, request.Key)
{
    // The message that brought the request can be much larger than the body.
    private readonly IncomingRequest? _governed = authorization.Governs(request.Resource) ? request : null;
    private RenewedAuthorization? _authorization;       // created when the authorizers are asked again

    public RobustDownloadServer Serving => serving;

    /// <summary>The memory of the body in bytes. The options are kept with and without Observe.</summary>
    public long Size { get; } = response.Payload.Length
        + robust.Bodies.Limits.OverheadOf(body.Operation.Length + (2 * response.Options.Wire.Length))
        + (authorization.Governs(request.Resource) ? request.Message.Options.Wire.Length + request.Message.Payload.Length : 0);

    /// <summary>The blocks that a confirmable request has asked for.</summary>
    public ConfirmableBlocks Confirmable => field ??= new(Lane, this, Robust.Blocks);

    /// <summary>Sends the messages that are due, and schedules the next ones. Call it only if the peer may get them.</summary>
    public void Advance()
    {
        while (serving.TryNext(Lane.Now, out var part)) { TrySend(part); }
        if (serving.IsOver) { Drop(); }
        else { Lane.WakeAt(this, serving.Deadline); }
    }

    /// <summary>Sends the messages that are due after another request for the body. The decision about that request replaces the earlier decision.</summary>
    public void Advance(IncomingRequest later)
    {
        if (_governed is { } first && first.AuthorizedUntil != later.AuthorizedUntil)
        {
            first.AuthorizedUntil = later.AuthorizedUntil;
        }
        Confirmable.Send();
        Advance();
    }

    public override void OnDeadline()
    {
        if ((Confirmable.IsDue || serving.IsDue(Lane.Now)) && !IsAuthorized()) { return; }
        Confirmable.Send();
        Advance();
    }

    public override void StopSending()
    {
        base.StopSending();
        Confirmable.Stop();
        _authorization?.End();
    }

    protected override void Drop() => Robust.Remove(this);

    private bool IsAuthorized() =>
        _governed is not { } request || !authorization.Governs(request.Resource)
        || (_authorization ??= new(Lane, authorization, request, OnDecided)).TryPass();

    private void OnDecided(CoapResponse? denial)
    {
        if (denial is null)
        {
            OnDeadline();
            return;
        }
        if (_governed!.Options.Contains<Observe>()) { observers.Deregister(_governed); }
        TrySend(serving.End(denial.Code, denial.Options, denial.Payload));
        Drop();
    }
}
