using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Robust;

/// <summary>The body of a response that is sent with Q-Block2 (RFC 9177, section 4.4).</summary>
/// <remarks>Blocks that a timer sends need a decision of the authorizers that has not expired. If they deny it, the peer gets the refusal once.</remarks>
internal sealed class RobustResponseBody(
    ExchangeLane lane, RobustBodyStore robust, in BodyKey body, IncomingRequest request, RobustDownloadServer serving,
    EndpointAuthorization authorization)
    : RobustBody(lane, robust, body, request.Key)
{
    private RenewedAuthorization? _authorization;       // created when the authorizers are asked again

    public RobustDownloadServer Serving => serving;

    /// <summary>Sends the messages that are due, and schedules the next ones. Call it only if the peer may get them.</summary>
    public void Advance()
    {
        while (serving.TryNext(Lane.Now, out var part)) { TrySend(part); }
        if (serving.IsOver) { Drop(); }
        else { Lane.WakeAt(this, serving.Deadline); }
    }

    /// <summary>Sends the messages that are due because of a later request for the body, whose decision replaces the earlier one.</summary>
    public void Advance(IncomingRequest later)
    {
        if (request.AuthorizedUntil != later.AuthorizedUntil) { request.AuthorizedUntil = later.AuthorizedUntil; }
        Advance();
    }

    public override void OnDeadline()
    {
        if (!serving.IsDue(Lane.Now) || IsAuthorized()) { Advance(); }
    }

    public override void StopSending()
    {
        base.StopSending();
        _authorization?.End();
    }

    protected override void Drop() => Robust.Remove(this);

    private bool IsAuthorized() =>
        authorization.Authorizers is not { } authorizers || !authorizers.Govern(request.Resource)
        || (_authorization ??= new(Lane, authorization, request, OnDecided)).TryPass(authorizers);

    private void OnDecided(CoapResponse? denial)
    {
        if (denial is null)
        {
            OnDeadline();
            return;
        }
        if (request.Options.Contains<Observe>()) { Lane.Features.Find<IObserverList>()?.Deregister(request); }
        TrySend(serving.End(denial.Code, denial.Options, denial.Payload));
        Drop();
    }
}
