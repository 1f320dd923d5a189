using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Resources;

/// <summary>The items that wait for a handler thread. Accounts take turns. Callers hold the gate of the threads.</summary>
/// <param name="threads">Limits the threads of each account.</param>
/// <param name="unsent">The unsent responses. The items of an account that holds its share wait until its peers have read.</param>
internal sealed class WaitingItems<T>(LedgerBook threads, LedgerBook unsent)
{
    // The holder of an IPv6 site has thousands of accounts. After this many that must wait, the gate is released briefly, so that lanes can
    // take it.
    private const int MostMissed = 64;

    private readonly Dictionary<HandlerTurn, Queue<WaitingItem<T>>> _waiting = [];
    private readonly LinkedList<HandlerTurn> _turns = new();        // the accounts with waiting items
    private readonly Queue<WaitingItem<T>> _first = new();          // items that others wait for
    private int _changes;       // counts added items, and room for accounts that had to wait

    /// <summary>The number of items.</summary>
    public int Count { get; private set; }

    /// <summary>The number of items that are quick.</summary>
    public int Quick { get; private set; }

    /// <summary>The number of items that are not quick.</summary>
    public int Slow => Count - Quick;

    /// <summary>The number of items that were taken.</summary>
    public int Taken { get; private set; }

    /// <summary>Whether an account that had to wait for room may continue.</summary>
    public bool MayHaveRoom { get; private set; }

    /// <summary>Returns the timestamp of the first item of an account; <see langword="null"/> if none waits.</summary>
    public long? FirstSince(in HandlerTurn place) => _waiting.TryGetValue(place, out var ofAccount) ? ofAccount.Peek().Since : null;

    public void Add(in HandlerItem<T> item, long now)
    {
        var place = new HandlerTurn(item.Account, item.IsStream);
        if (!_waiting.TryGetValue(place, out var ofAccount))
        {
            _waiting[place] = ofAccount = new();
            _turns.AddLast(place);
        }
        ofAccount.Enqueue(new(item.Item, item.Account, now, item.IsQuick, IsTaken: true));
        Quick += item.IsQuick ? 1 : 0;
        Count++;
        _changes++;
    }

    /// <summary>Adds an item that is taken before all others, even if its account holds its share of threads.</summary>
    public void AddFirst(T item, in Account account, long now)
    {
        _first.Enqueue(new(item, account, now, IsQuick: false, IsTaken: true));
        Count++;
        _changes++;
    }

    /// <summary>Records that accounts that had to wait for room may continue.</summary>
    public void AddRoom()
    {
        MayHaveRoom = true;
        _changes++;
    }

    /// <summary>
    /// Takes the first item of the first account that may hold another thread. Only an account that holds a thread can exceed its share.
    /// </summary>
    /// <param name="gate">The gate, which the caller holds.</param>
    /// <param name="onRoom">Called when an account that must wait for room may continue.</param>
    /// <param name="item">The item. Its account is charged with a thread.</param>
    public bool TryTake(Lock gate, Action onRoom, [MaybeNullWhen(false)] out WaitingItem<T> item)
    {
        if (TryTakeFirst(out item)) { return true; }
        var seen = _changes;
        for (var missed = 0; missed < _turns.Count; missed++)
        {
            if (missed > 0 && missed % MostMissed == 0)
            {
                LetOthersIn(gate);
                if (TryTakeFirst(out item)) { return true; }
                // Changes in the meantime may have woken no thread, because this one is awake.
                if (_changes != seen) { (missed, seen) = (0, _changes); }
                if (_turns.Count == 0) { break; }
            }
            var turn = _turns.First!;
            _turns.RemoveFirst();
            var (account, isStream) = turn.Value;
            if ((isStream && unsent.MustWait(account, onRoom)) || !threads.TryTake(account))
            {
                _turns.AddLast(turn);
                continue;
            }
            item = Dequeue(turn);
            return true;
        }
        (item, MayHaveRoom) = (default, false);
        return false;
    }

    private static void LetOthersIn(Lock gate)
    {
        gate.Exit();
        Thread.Yield();
        gate.Enter();
    }

    private bool TryTakeFirst([MaybeNullWhen(false)] out WaitingItem<T> item)
    {
        if (!_first.TryDequeue(out item)) { return false; }
        threads.Take(item.Account);
        Count--;
        Taken++;
        return true;
    }

    private WaitingItem<T> Dequeue(LinkedListNode<HandlerTurn> turn)
    {
        var ofAccount = _waiting[turn.Value];
        var item = ofAccount.Dequeue();
        if (ofAccount.Count > 0) { _turns.AddLast(turn); }
        else { _waiting.Remove(turn.Value); }
        Quick -= item.IsQuick ? 1 : 0;
        Count--;
        Taken++;
        return item;
    }
}

/// <summary>An item that waits for a handler thread.</summary>
/// <param name="Item">The item.</param>
/// <param name="Account">The account of its peer.</param>
/// <param name="Since">The timestamp at which it was added.</param>
/// <param name="IsQuick">Whether it can share a thread.</param>
/// <param name="IsTaken"><see langword="false"/> for the default value, which is no item.</param>
internal readonly record struct WaitingItem<T>(T Item, Account Account, long Since, bool IsQuick, bool IsTaken);

/// <summary>The items of an account that take turns together.</summary>
internal readonly record struct HandlerTurn(Account Account, bool IsStream) : ISeededKey
{
    public override int GetHashCode() => SeededHash.Combine(Account.GetHashCode(), IsStream ? 1 : 0);
}
