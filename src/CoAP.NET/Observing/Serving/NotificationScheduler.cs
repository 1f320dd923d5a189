using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Tells observers, so many in a turn of the lane, so that a change which concerns many does not keep requests waiting.</summary>
internal sealed class NotificationScheduler(LaneContext lane, int notificationsPerTurn) : LaneWork
{
    // Looking at an observer that has the newest state already costs a fraction of telling one that has not.
    private const int LooksPerNotification = 16;

    private readonly Queue<ObservedRepresentation> _representations = new();
    private bool _isPosted;

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
        var budget = notificationsPerTurn;
        var looks = (int)Math.Min(int.MaxValue, (long)budget * LooksPerNotification);
        while (budget > 0 && looks > 0 && _representations.TryDequeue(out var representation))
        {
            representation.IsQueued = false;
            if (representation.NotifyObservers(ref budget, ref looks)) { continue; }
            representation.IsQueued = true;
            _representations.Enqueue(representation);
        }
        if (_representations.Count > 0) { Post(); }
    }

    public override void Abandon()
    {
    }

    private void Post()
    {
        if (_isPosted) { return; }
        _isPosted = true;
        lane.Post(this);
    }
}
