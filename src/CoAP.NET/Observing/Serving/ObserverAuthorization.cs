using CoAP.Lanes;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>Asks the authorizers again when the decision about an observer has expired. At most one question at a time is open.</summary>
internal sealed class ObserverAuthorization(Observation observation, HandlerPipeline pipeline) : LaneWork
{
    private AuthorizationDecision _decision;
    private long _until = observation.Request.AuthorizedUntil;
    private bool _isAsking;
    private bool _isGranted;        // covers the next notification, even if the decision holds for no time

    /// <summary>Returns whether a notification may be sent now. If not, the authorizers decide what is sent later.</summary>
    public bool TryPass(Authorizers authorizers)
    {
        if (_isGranted || observation.Lane.Now < _until)
        {
            _isGranted = false;
            return true;
        }
        if (_isAsking) { return false; }
        var asked = authorizers.AskAsync(observation.Request, pipeline);
        if (asked.IsCompletedSuccessfully) { return TryTake(asked.Result); }
        _isAsking = true;
        _ = WaitAsync(asked);
        return false;
    }

    public override void Run()
    {
        _isAsking = false;
        if (observation.IsEnded || !TryTake(_decision)) { return; }
        _isGranted = true;
        observation.Offer();
    }

    private bool TryTake(in AuthorizationDecision decision)
    {
        if (!decision.IsAllowed)
        {
            observation.Refuse(Authorizers.RefusalOf(decision, observation.Request));
            return false;
        }
        _until = observation.Lane.After(decision.Lifetime);
        return true;
    }

    private async Task WaitAsync(ValueTask<AuthorizationDecision> asked)
    {
        _decision = await asked.ConfigureAwait(false);
        observation.Lane.Post(this);
    }
}
