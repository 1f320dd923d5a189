using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Limits the notifications per turn of the lane, so that a change with many observers does not delay requests.</summary>
/// <param name="lane">The lane of the observers.</param>
/// <param name="mostPerTurn">The number of notifications in a turn. While requests wait to be received, a turn sends fewer.</param>
internal sealed class NotificationTurns(Lane lane, int mostPerTurn) : LaneWork
{
    // A notification costs about as much as a request, and a turn receives 32 requests. With more notifications, requests would come in faster than
    // they are received.
    private const int PartWhileBehind = 8;

    // Visiting an observer that is current costs a fraction of a notification.
    private const int LooksPerNotification = 16;

    private readonly Queue<ObservedRepresentation> _representations = new();
    private bool _isPosted;

    /// <summary>The number of notifications in the current turn.</summary>
    public int Budget => lane.IsBehind ? Math.Max(1, mostPerTurn / PartWhileBehind) : mostPerTurn;

    public void Add(ObservedRepresentation representation)
    {
        if (representation.IsQueued) { return; }
        representation.IsQueued = true;
        _representations.Enqueue(representation);
        Post();
    }

    public override void Run()
    {
        _isPosted = false;
        var budget = Budget;
        var looks = (int)Math.Min(int.MaxValue, (long)budget * LooksPerNotification);
        while (budget > 0 && looks > 0 && _representations.TryDequeue(out var representation))
        {
            representation.IsQueued = false;
            try
            {
                if (representation.NotifyObservers(ref budget, ref looks)) { continue; }
            }
            catch (Exception exception) // A stage failed for one observer. The others must still get their notifications.
            {
                lane.Log.LaneWorkFailed(exception, representation.Resource.Resource.Template);
            }
            representation.IsQueued = true;
            _representations.Enqueue(representation);
        }
        if (_representations.Count > 0) { Post(); }
    }

    private void Post()
    {
        if (_isPosted) { return; }
        _isPosted = true;
        lane.Post(this);
    }
}
