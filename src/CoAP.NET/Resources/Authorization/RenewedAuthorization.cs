using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>Asks the authorizers again when the decision about a request has expired. At most one decision at a time is pending.</summary>
/// <param name="lane">The lane of the request.</param>
/// <param name="authorization">The authorizers.</param>
/// <param name="request">The request that causes the messages. It stores the time at which the decision expires.</param>
/// <param name="decided">Called on the lane with the response to a denial, or with <see langword="null"/> if the message may be tried again.</param>
internal sealed class RenewedAuthorization(ExchangeLane lane, EndpointAuthorization authorization, IncomingRequest request, Action<CoapResponse?> decided)
    : LaneWork, IMovableDeadline
{
    // A decision made before its message is due allows one message within this time. If the client does not read, the decision must not cover a later state.
    private static readonly TimeSpan GrantTime = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    private AuthorizationDecision _decision;
    private Account _account;       // is charged while the authorizers are asked
    private long _grantedUntil;
    private bool _isAsking;
    private bool _isOver;

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Returns whether a message may be sent now. If not, the authorizers decide what is sent later.</summary>
    /// <param name="isCall">Whether the handler creates the message first. The decision about the call then covers the message.</param>
    public bool TryPass(bool isCall = false)
    {
        if (lane.Now < Math.Max(request.AuthorizedUntil, _grantedUntil))
        {
            if (!isCall) { _grantedUntil = 0; }
            return true;
        }
        if (_isAsking) { return false; }
        if (authorization.MayWait && lane.TryRefuse(request, lane.Ledger.Authorizations, out _))
        {
            lane.WakeAt(this, lane.After(RetryAfter));
            return false;
        }
        var asked = authorization.Ask(request, lane);
        if (asked.IsCompletedSuccessfully)
        {
            if (!TryTake(asked.Result)) { return false; }
            if (isCall) { _grantedUntil = lane.After(GrantTime); }
            return true;
        }
        (_isAsking, authorization.MayWait, _account) = (true, true, request.Account);
        lane.Ledger.Authorizations.Take(_account);
        lane.WakeAt(this, lane.After(authorization.Timeout));
        _ = WaitAsync(asked);
        return false;
    }

    /// <summary>Ends the wait for a decision because nothing more is sent.</summary>
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
        lane.Log.AuthorizerTooSlow(authorization.Timeout, request);
        decided(EndpointAuthorization.TooLate);
    }

    public override void Run()
    {
        EndQuestion();
        if (_isOver) { return; }
        lane.WakeAt(this, long.MaxValue);
        if (!TryTake(_decision)) { return; }
        _grantedUntil = lane.After(GrantTime);
        decided(null);
    }

    public override void Abandon() => EndQuestion();

    private void EndQuestion()
    {
        _isAsking = false;
        lane.Ledger.Authorizations.Release(_account);
    }

    private bool TryTake(in AuthorizationDecision decision)
    {
        if (!decision.IsAllowed)
        {
            decided(EndpointAuthorization.RefusalOf(decision, request));
            return false;
        }
        request.AuthorizedUntil = lane.After(decision.Lifetime);
        return true;
    }

    private async Task WaitAsync(ValueTask<AuthorizationDecision> asked)
    {
        _decision = await asked.ConfigureAwait(false);
        lane.Post(this);
    }
}
