using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Tells observers, so many in a turn of the lane, so that a change which concerns many does not keep requests waiting.</summary>
internal sealed class NotificationPump(LaneContext lane, int notificationsPerTurn) : LaneWork
{
    // Looking at an observer that has the newest state already costs a fraction of telling one that has not.
    private const int LooksPerNotification = 16;

    private readonly Queue<ObservedState> _states = new();
    private bool _isPosted;

    public void Add(ObservedState state)
    {
        if (state.IsQueued) { return; }
        state.IsQueued = true;
        _states.Enqueue(state);
        Post();
    }

    public override void Run()
    {
        _isPosted = false;
        var budget = notificationsPerTurn;
        var looks = (int)Math.Min(int.MaxValue, (long)budget * LooksPerNotification);
        while (budget > 0 && looks > 0 && _states.TryDequeue(out var state))
        {
            state.IsQueued = false;
            if (state.Tell(ref budget, ref looks)) { continue; }
            state.IsQueued = true;
            _states.Enqueue(state);
        }
        if (_states.Count > 0) { Post(); }
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
