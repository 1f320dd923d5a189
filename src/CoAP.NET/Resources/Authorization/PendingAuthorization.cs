using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>A decision that an authorizer has not made yet. A single request or all blocks of one transfer wait for the decision.</summary>
/// <remarks>
/// The call of the authorizer and each request are charged until the authorizer has returned, even if the wait times out. While a slow authorizer decides,
/// confirmable requests are acknowledged, as for a slow handler (RFC 7252, section 5.2.2).
/// </remarks>
internal sealed class PendingAuthorization : TurnWork, IMovableDeadline
{
    private readonly ExchangeLane _lane;
    private readonly AuthorizationStage _stage;
    private readonly RequestFailures _failures;
    private readonly TimeSpan _timeout;
    private readonly long _endsAt;
    private readonly List<(HeldRequest Held, long AcknowledgeAt)> _requests = [];
    private int _acknowledged;
    private AuthorizationDecision _decision;
    private bool _isOver;

    public PendingAuthorization(
        ExchangeLane lane, AuthorizationStage stage, RequestFailures failures, IncomingRequest request, DecisionKey? key, TimeSpan timeout)
    {
        (_lane, _stage, _failures, Key, _timeout, _endsAt) = (lane, stage, failures, key, timeout, lane.After(timeout));
        Add(request);
        lane.Ledger.Authorizations.Take(Account);
    }

    /// <summary>The transfer; <see langword="null"/> if the request is not a block.</summary>
    public DecisionKey? Key { get; }

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    // The handlers of connections run in the turns of their accounts, also after a decision that was late.
    protected override LaneChannel? TurnOf => _isOver ? null : _requests[0].Held.Request.Connection;

    // The first request has caused the call of the authorizer.
    private Account Account => _requests[0].Held.Account;

    /// <summary>Lets a request wait.</summary>
    public void Add(IncomingRequest request)
    {
        _requests.Add((new HeldRequest(_lane, request), _lane.After(_lane.Settings.AcknowledgeAfter)));
        ScheduleNext();
    }

    /// <summary>Waits for the decision and posts it to the lane.</summary>
    public async Task WaitAsync(ValueTask<AuthorizationDecision> asked)
    {
        _decision = await asked.ConfigureAwait(false);
        _lane.Post(this);
    }

    protected override void OnReceived() => Release();

    protected override void RunInTurn()
    {
        if (_isOver) { return; }
        _lane.Unschedule(this);
        _stage.Remember(Key, _requests[0].Held.Request, _decision);
        End(_decision);
    }

    public void OnDeadline()
    {
        if (_lane.Now >= _endsAt)
        {
            _lane.Log.AuthorizerTooSlow(_timeout, _requests[0].Held.Request);
            End(AuthorizationDecision.Deny(EndpointAuthorization.TooLate));
            return;
        }
        for (; _acknowledged < _requests.Count && _requests[_acknowledged].AcknowledgeAt <= _lane.Now; _acknowledged++)
        {
            EmptyMessages.Acknowledge(_requests[_acknowledged].Held.Request, _lane.LateMessages);
        }
        ScheduleNext();
    }

    // Called if the lane has ended, and so have all its requests.
    public override void Abandon() => Release();

    private void ScheduleNext() =>
        _lane.WakeAt(this, _acknowledged < _requests.Count ? Math.Min(_requests[_acknowledged].AcknowledgeAt, _endsAt) : _endsAt);

    private void End(in AuthorizationDecision decision)
    {
        _isOver = true;
        _stage.Settle(this);
        foreach (var (held, _) in _requests)
        {
            held.Close();
            if (held.Request.End is not null) { continue; }
            try { _stage.Resolve(held.Request, decision); }
            catch (Exception exception) // A request that makes a later stage fail ends here.
            {
                _failures.Fail(held.Request, exception);
            }
        }
    }

    private void Release()
    {
        _lane.Ledger.Authorizations.Release(Account);
        foreach (var (held, _) in _requests) { held.Release(); }
    }
}
