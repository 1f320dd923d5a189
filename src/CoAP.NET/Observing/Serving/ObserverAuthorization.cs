using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>Asks the authorizers again when the decision about an observer has expired. At most one question at a time is open.</summary>
/// <param name="lane">The lane of the observer.</param>
/// <param name="pipeline">The handlers, which the authorizers protect.</param>
/// <param name="request">The request of the registration.</param>
/// <param name="decided">Called on the lane with the response to a denial, or with <see langword="null"/> if a late decision allows the observation.</param>
internal sealed class ObserverAuthorization(ExchangeLane lane, HandlerPipeline pipeline, IncomingRequest request, Action<CoapResponse?> decided)
    : LaneWork
{
    private AuthorizationDecision _decision;
    private long _until = request.AuthorizedUntil;
    private bool _isAsking;
    private bool _isGranted;        // covers the next notification, even if the decision holds for no time

    /// <summary>Returns whether a notification may be sent now. If not, the authorizers decide what is sent later.</summary>
    public bool TryPass(AuthorizerChain authorizers)
    {
        if (_isGranted || lane.Now < _until)
        {
            _isGranted = false;
            return true;
        }
        if (_isAsking) { return false; }
        var asked = authorizers.AskAsync(request, pipeline);
        if (asked.IsCompletedSuccessfully) { return TryTake(asked.Result); }
        _isAsking = true;
        _ = WaitAsync(asked);
        return false;
    }

    public override void Run()
    {
        _isAsking = false;
        if (!TryTake(_decision)) { return; }
        _isGranted = true;
        decided(null);
    }

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
