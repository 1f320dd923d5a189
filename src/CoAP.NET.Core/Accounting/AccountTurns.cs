using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace CoAP.Accounting;

/// <summary>Items of several accounts. The accounts take turns, and the items of each account keep their order.</summary>
internal sealed class AccountTurns<T>
{
    private readonly Dictionary<Account, Queue<T>> _items = [];
    private readonly Queue<Account> _order = new();     // the accounts that have items

    public bool IsEmpty => _order.Count == 0;

    /// <summary>Returns the number of items of an account.</summary>
    public int CountOf(Account account) => _items.GetValueOrDefault(account)?.Count ?? 0;

    public void Add(Account account, T item)
    {
        ref var queue = ref CollectionsMarshal.GetValueRefOrAddDefault(_items, account, out var isKnown);
        queue ??= new();
        queue.Enqueue(item);
        if (!isKnown) { _order.Enqueue(account); }
    }

    /// <summary>Removes the next item of the account whose turn it is.</summary>
    public bool TryTake([MaybeNullWhen(false)] out T item) => TryTake(out item, out _);

    /// <summary>Removes the next item of the account whose turn it is.</summary>
    public bool TryTake([MaybeNullWhen(false)] out T item, out Account account)
    {
        item = default;
        if (!_order.TryDequeue(out account)) { return false; }
        var queue = _items[account];
        item = queue.Dequeue();
        if (queue.Count > 0) { _order.Enqueue(account); }
        else { _items.Remove(account); }
        return true;
    }
}
