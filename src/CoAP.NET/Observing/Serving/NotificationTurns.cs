using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>
/// Decides which representation is made anew next, and whose observers are notified next: round robin over the accounts that have work, and round robin
/// over the representations of each. Limits the work per turn of the lane, so that a change with many observers does not delay requests.
/// </summary>
internal sealed class NotificationTurns : LaneWork
{
    // A notification costs about as much as a request, and a turn receives 32 requests. With more notifications, requests would come in faster than
    // they are received.
    private const int PartWhileBehind = 8;

    // After so many notifications, the next account has its turn.
    private const int MostPerVisit = 16;

    // Visiting an observer that is current costs a fraction of a notification.
    private const int LooksPerNotification = 16;

    private readonly Lane _lane;
    private readonly int _mostPerTurn;
    private readonly Dictionary<Account, Queue<ObservedRepresentation>> _accounts = [];
    private readonly Queue<Account> _order = new();
    private readonly Func<Account, int> _workOf;
    private bool _isPosted;

    /// <param name="lane">The lane of the observers.</param>
    /// <param name="mostPerTurn">The number of calls and notifications in a turn. While requests wait to be received, a turn has fewer.</param>
    public NotificationTurns(Lane lane, int mostPerTurn)
    {
        (_lane, _mostPerTurn) = (lane, mostPerTurn);
        _workOf = account => _accounts.GetValueOrDefault(account)?.Count ?? 0;
    }

    /// <summary>Adds a representation that has to be made anew, or whose observers have to be notified.</summary>
    public void Add(ObservedRepresentation representation)
    {
        if (representation.IsQueued) { return; }
        representation.IsQueued = true;
        var account = representation.AccountFor(_workOf);
        ref var queue = ref CollectionsMarshal.GetValueRefOrAddDefault(_accounts, account, out var isKnown);
        queue ??= new();
        queue.Enqueue(representation);
        if (!isKnown) { _order.Enqueue(account); }
        Post();
    }

    public override void Run()
    {
        _isPosted = false;
        var budget = _lane.IsBehind ? Math.Max(1, _mostPerTurn / PartWhileBehind) : _mostPerTurn;
        var looks = (int)Math.Min(int.MaxValue, (long)budget * LooksPerNotification);
        while (budget > 0 && looks > 0 && TryTake(out var representation))
        {
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
        if (_order.Count > 0) { Post(); }
    }

    private bool TryTake([NotNullWhen(true)] out ObservedRepresentation? representation)
    {
        representation = null;
        if (!_order.TryDequeue(out var account)) { return false; }
        var queue = _accounts[account];
        representation = queue.Dequeue();
        representation.IsQueued = false;
        if (queue.Count > 0) { _order.Enqueue(account); }
        else { _accounts.Remove(account); }
        return true;
    }

    private void Post()
    {
        if (_isPosted) { return; }
        _isPosted = true;
        _lane.Post(this);
    }
}
