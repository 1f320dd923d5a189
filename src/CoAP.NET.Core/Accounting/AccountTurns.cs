using System.Diagnostics.CodeAnalysis;

namespace CoAP.Accounting;

/// <summary>
/// Items of several accounts. The accounts take turns, and the items of each account keep their order. Each item can leave at any time.
/// </summary>
internal sealed class AccountTurns<T>
{
    private readonly Dictionary<Account, LinkedListNode<Turn>> _turns = [];
    private readonly LinkedList<Turn> _order = new();     // the accounts that have items

    private readonly record struct Turn(Account Account, LinkedList<T> Items);

    public bool IsEmpty => Count == 0;

    /// <summary>The number of items of all accounts.</summary>
    public int Count { get; private set; }

    /// <summary>Returns the number of items of an account.</summary>
    public int CountOf(Account account) => _turns.TryGetValue(account, out var turn) ? turn.Value.Items.Count : 0;

    /// <summary>Adds an item. Returns its place, which <see cref="Remove"/> needs.</summary>
    public LinkedListNode<T> Add(Account account, T item)
    {
        if (!_turns.TryGetValue(account, out var turn))
        {
            _turns[account] = turn = _order.AddLast(new Turn(account, new LinkedList<T>()));
        }
        Count++;
        return turn.Value.Items.AddLast(item);
    }

    /// <summary>Removes the item at a place. Returns <see langword="false"/> if it is not here any more.</summary>
    public bool Remove(Account account, LinkedListNode<T> place)
    {
        if (!_turns.TryGetValue(account, out var turn) || turn.Value.Items != place.List) { return false; }
        Take(turn, place);
        return true;
    }

    /// <summary>Returns the next item of the account whose turn it is; <see langword="default"/> if there is none.</summary>
    public T? TryPeek() => _order.First is { } turn ? turn.Value.Items.First!.Value : default;

    /// <summary>Removes the next item of the account whose turn it is.</summary>
    public bool TryTake([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (_order.First is not { } turn) { return false; }
        var place = turn.Value.Items.First!;
        item = place.Value;
        Take(turn, place);
        if (turn.List is not null)
        {
            _order.Remove(turn);
            _order.AddLast(turn);
        }
        return true;
    }

    private void Take(LinkedListNode<Turn> turn, LinkedListNode<T> place)
    {
        var (account, items) = turn.Value;
        items.Remove(place);
        Count--;
        if (items.Count > 0) { return; }
        _order.Remove(turn);
        _turns.Remove(account);
    }
}
