using System.Diagnostics.CodeAnalysis;

namespace CoAP.Resources;

/// <summary>Requests that wait. Accounts take turns, and the requests of each keep their order. Each can leave at any time.</summary>
internal sealed class PathWaiters
{
    private readonly Dictionary<Account, LinkedListNode<LinkedList<PathWaiter>>> _turns = [];
    private readonly LinkedList<LinkedList<PathWaiter>> _order = new();     // one list per account, none of them empty

    public int Count { get; private set; }

    public void Add(PathWaiter waiter)
    {
        if (!_turns.TryGetValue(waiter.Account, out var turn))
        {
            _turns[waiter.Account] = turn = _order.AddLast(new LinkedList<PathWaiter>());
        }
        waiter.Place = turn.Value.AddLast(waiter);
        Count++;
    }

    /// <summary>Removes a request. Returns <see langword="false"/> if it does not wait here.</summary>
    public bool Remove(PathWaiter waiter)
    {
        if (waiter.Place?.List is not { } list || !_turns.TryGetValue(waiter.Account, out var turn) || turn.Value != list) { return false; }
        list.Remove(waiter.Place);
        Count--;
        if (list.Count == 0)
        {
            _order.Remove(turn);
            _turns.Remove(waiter.Account);
        }
        return true;
    }

    /// <summary>Removes the next request of the account whose turn it is.</summary>
    public bool TryTake([NotNullWhen(true)] out PathWaiter? next)
    {
        next = null;
        if (_order.First is not { } turn) { return false; }
        next = turn.Value.First!.Value;
        Remove(next);
        if (turn.List is not null)
        {
            _order.Remove(turn);
            _order.AddLast(turn);
        }
        return true;
    }
}
