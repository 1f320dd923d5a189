using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>Asks the authorizers again when the decision about an observer has expired. At most one question at a time is open.</summary>
/// <param name="lane">The lane of the observer.</param>
/// <param name="pipeline">The handlers, which the authorizers protect.</param>
/// <param name="request">The request of the registration.</param>
/// <param name="decided">Called on the lane with the response to a denial, or with <see langword="null"/> if the notification may be tried again.</param>
internal sealed class ObserverAuthorization(ExchangeLane lane, HandlerPipeline pipeline, IncomingRequest request, Action<CoapResponse?> decided)
    : LaneWork, IMovableDeadline
{
    // A late decision allows one notification within this time. A client that does not read must not get a later state with it.
    private static readonly TimeSpan GrantTime = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    private AuthorizationDecision _decision;
    private Account _account;       // is charged while the authorizers are asked
    private long _until = request.AuthorizedUntil;
    private long _grantedUntil;
    private bool _isAsking;
    private bool _isOver;

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Returns whether a notification may be sent now. If not, the authorizers decide what is sent later.</summary>
    public bool TryPass(AuthorizerChain authorizers)
    {
        if (lane.Now < Math.Max(_until, _grantedUntil))
        {
            _grantedUntil = 0;
            return true;
        }
        if (_isAsking) { return false; }
        if (authorizers.MayWait && lane.TryRefuse(request, lane.Ledger.Authorizations, out _))
        {
            lane.WakeAt(this, lane.After(RetryAfter));
            return false;
        }
        var asked = authorizers.AskAsync(request, pipeline);
        if (asked.IsCompletedSuccessfully) { return TryTake(asked.Result); }
        (_isAsking, authorizers.MayWait, _account) = (true, true, request.Account);
        lane.Ledger.Authorizations.Take(_account);
        lane.WakeAt(this, lane.After(pipeline.AuthorizationTimeout));
        _ = WaitAsync(asked);
        return false;
    }

    /// <summary>Ends the wait for a decision because the observation has ended.</summary>
    public void End()
    {
        _isOver = true;
        lane.WakeAt(this, long.MaxValue);
    }

    public void OnDeadline()
    {
        if (!_isAsking)
        {
            lane.WakeAt(this, long.MaxValue);
            decided(null);
            return;
        }
        End();
        lane.Log.AuthorizerTooSlow(pipeline.AuthorizationTimeout, request);
        decided(AuthorizerChain.TooLate);
    }

    public override void Run()
    {
        Abandon();
        _isAsking = false;
        if (_isOver) { return; }
        lane.WakeAt(this, long.MaxValue);
        if (!TryTake(_decision)) { return; }
        _grantedUntil = lane.After(GrantTime);
        decided(null);
    }

    // Called if the lane has ended, as well.
    public override void Abandon() => lane.Ledger.Authorizations.Release(_account);

    private bool TryTake(in AuthorizationDecision decision)
    {
        if (!decision.IsAllowed)
        {
            decided(AuthorizerChain.RefusalOf(decision, request));
            return false;
        }
        _until = lane.After(decision.Lifetime);
        return true;
    }

    private async Task WaitAsync(ValueTask<AuthorizationDecision> asked)
    {
        _decision = await asked.ConfigureAwait(false);
        lane.Post(this);
    }
}
