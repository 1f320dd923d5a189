using CoAP.Accounting;
using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>
/// Selects the representation to refresh next and the observers to notify next. Accounts take turns, and so do the representations of each account. Limits the work per turn of the lane, so that a change with many observers does not delay requests.
/// </summary>
internal sealed class NotificationTurns : LaneWork
{
    // A notification costs about as much as a request, and a turn receives 32 requests. With more notifications, requests would come in faster than
    // they are received.
    private const int PartWhileBehind = 8;

    // After this many notifications, it is the next account's turn.
    private const int MostPerVisit = 16;

    // Visiting an observer that is current costs a fraction of a notification.
    private const int LooksPerNotification = 16;

    private readonly Lane _lane;
    private readonly int _mostPerTurn;
    private readonly AccountTurns<ObservedRepresentation> _representations = new();
    private readonly Func<Account, int> _workOf;
    private bool _isPosted;

    /// <param name="lane">The lane of the observers.</param>
    /// <param name="mostPerTurn">The number of calls and notifications in a turn. While requests wait to be received, a turn has fewer.</param>
    public NotificationTurns(Lane lane, int mostPerTurn)
    {
        (_lane, _mostPerTurn) = (lane, mostPerTurn);
        _workOf = _representations.CountOf;
    }

    /// <summary>Adds a representation that has to be made anew, or whose observers have to be notified.</summary>
    public void Add(ObservedRepresentation representation)
    {
        if (representation.IsQueued) { return; }
        representation.IsQueued = true;
        _representations.Add(representation.AccountFor(_workOf), representation);
        Post();
    }

    public override void Run()
    {
        _isPosted = false;
        var budget = _lane.IsBehind ? Math.Max(1, _mostPerTurn / PartWhileBehind) : _mostPerTurn;
        var looks = (int)Math.Min(int.MaxValue, (long)budget * LooksPerNotification);
        while (budget > 0 && looks > 0 && _representations.TryTake(out var representation))
        {
            representation.IsQueued = false;
            var ofVisit = Math.Min(budget, MostPerVisit);
            budget -= ofVisit;
            var isDone = true;
            try { isDone = representation.Work(ref ofVisit, ref looks); }
            catch (Exception exception) // A stage failed for one observer. The others must still get their notifications.
            {
                _lane.Log.LaneWorkFailed(exception, representation.Resource.Resource.Template);
                isDone = false;
            }
            budget += ofVisit;
            if (!isDone) { Add(representation); }
        }
        if (!_representations.IsEmpty) { Post(); }
    }

    private void Post()
    {
        if (_isPosted) { return; }
        _isPosted = true;
        _lane.Post(this);
    }
}
