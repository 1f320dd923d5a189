using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>A decision that an authorizer has not made yet, and the requests that wait for it: one, or the blocks of one transfer.</summary>
/// <remarks>Each request is charged to its account until the authorizer has returned, even if the wait has ended before.</remarks>
internal sealed class PendingAuthorization : LaneWork, ILaneDeadline
{
    private readonly ExchangeLane _lane;
    private readonly AuthorizationStage _stage;
    private readonly TimeSpan _timeout;
    private readonly List<(IncomingRequest Request, Account Account)> _requests = [];
    private AuthorizationDecision _decision;
    private bool _isOver;

    public PendingAuthorization(ExchangeLane lane, AuthorizationStage stage, DecisionKey? key, TimeSpan timeout)
    {
        (_lane, _stage, Key, _timeout, Deadline) = (lane, stage, key, timeout, lane.After(timeout));
        lane.Schedule(this);
    }

    /// <summary>The transfer; <see langword="null"/> if the request is not a block.</summary>
    public DecisionKey? Key { get; }

    public long Deadline { get; }

    public int QueueIndex { get; set; }

    /// <summary>Lets a request wait.</summary>
    public void Add(IncomingRequest request)
    {
        // The account changes if the peer proves its address meanwhile. The one that is charged here is the one that is released.
        var account = request.Account;
        _requests.Add((request, account));
        _lane.OpenRequests.Add(request);
        _lane.Ledger.Requests.Take(account);
    }

    /// <summary>Waits for the decision and posts it to the lane.</summary>
    public async Task WaitAsync(ValueTask<AuthorizationDecision> asked)
    {
        _decision = await asked.ConfigureAwait(false);
        _lane.Post(this);
    }

    public override void Run()
    {
        Release();
        if (_isOver) { return; }
        _lane.Unschedule(this);
        _stage.Remember(Key, _requests[0].Request, _decision);
        End(_decision);
    }

    public void OnDeadline()
    {
        _lane.Log.AuthorizerTooSlow(_timeout, _requests[0].Request);
        End(AuthorizationDecision.Deny(AuthorizerChain.TooLate));
    }

    // Called if the lane has ended, and so have all its requests.
    public override void Abandon() => Release();

    private void End(in AuthorizationDecision decision)
    {
        _isOver = true;
        _stage.Settle(this);
        foreach (var (request, _) in _requests)
        {
            _lane.OpenRequests.Remove(request);
            if (request.End is not null) { continue; }
            try { _stage.Resolve(request, decision); }
            catch (Exception exception) // A request that makes a later stage fail ends here.
            {
                _lane.Features.Get<RequestFailures>().Fail(request, exception);
            }
        }
    }

    private void Release()
    {
        foreach (var (_, account) in _requests) { _lane.Ledger.Requests.Release(account); }
    }
}
