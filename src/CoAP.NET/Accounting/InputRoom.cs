namespace CoAP.Accounting;

/// <summary>Shares the room for received bytes that cannot be processed yet, mostly of incomplete messages, among the accounts of an endpoint.</summary>
/// <remarks>
/// <para>Safe for concurrent use. A message is charged as a whole before its memory grows, so it waits at most once. Messages of an account
/// wait in a queue of the account. When bytes are released, the accounts take turns.</para>
/// <para>A message that is larger than the largest share is charged with that share, even if the account has no room. One such message is received at a time.</para>
/// </remarks>
/// <param name="book">Records the bytes of each account.</param>
internal sealed class InputRoom(LedgerBook book)
{
    // The owner of an IPv6 site can have thousands of accounts. A release must not check all of them, so the next release checks the rest.
    private const int MostMissed = 64;

    private readonly Lock _gate = new();
    private readonly Dictionary<Account, LinkedListNode<LinkedList<InputWaiter>>> _waiting = [];
    private readonly LinkedList<LinkedList<InputWaiter>> _turns = [];
    private int _oversized;

    /// <summary>The bytes of each account.</summary>
    public LedgerBook Book => book;

    /// <summary>Charges a whole message. Returns <see langword="false"/> if the message has to wait. The waiter is called when it is charged.</summary>
    public bool TryTake(InputWaiter waiter)
    {
        lock (_gate)
        {
            if (!_waiting.TryGetValue(waiter.Account, out var turn))
            {
                if (TryHold(waiter)) { return true; }
                _waiting[waiter.Account] = turn = _turns.AddLast(new LinkedList<InputWaiter>());
            }
            waiter.Place = turn.Value.AddLast(waiter);
            return false;
        }
    }

    /// <summary>Cancels the wait. Returns <see langword="false"/> if the message does not wait.</summary>
    public bool TryForget(InputWaiter waiter)
    {
        lock (_gate)
        {
            if (waiter.Place is null) { return false; }
            var turn = _waiting[waiter.Account];
            if (Leave(turn, waiter)) { _turns.Remove(turn); }
        }
        // The next message of the account may be smaller.
        Grant();
        return true;
    }

    /// <summary>Ends the charge of a message that <see cref="TryTake"/> charged or that was granted later.</summary>
    public void Give(in Account account, long size) => Shrink(account, size, 0);

    /// <summary>Charges a message whose length is unknown with its next bytes. Returns <see langword="false"/> if there is no room.</summary>
    /// <param name="account">The account.</param>
    /// <param name="from">The size so far.</param>
    /// <param name="to">The new size.</param>
    public bool TryGrow(in Account account, long from, long to)
    {
        if (from > book.LargestShare) { return true; }
        if (to <= book.LargestShare) { return book.TryCharge(account, to - from) == Charge.Accepted; }
        if (!TryBeOversized()) { return false; }
        book.Take(account, book.LargestShare - from);
        return true;
    }

    /// <summary>Ends a part of the charge of a message.</summary>
    public void Shrink(in Account account, long from, long to)
    {
        if (from > book.LargestShare && to <= book.LargestShare) { Volatile.Write(ref _oversized, 0); }
        Uncount(account, Math.Min(from, book.LargestShare) - Math.Min(to, book.LargestShare));
    }

    /// <summary>Charges the account with bytes that are already in memory, even above its share.</summary>
    public void Count(in Account account, long bytes) => book.Take(account, bytes);

    /// <summary>Ends the charge of <see cref="Count"/>.</summary>
    public void Uncount(in Account account, long bytes)
    {
        if (bytes > 0) { book.Release(account, bytes); }
        Grant();
    }

    private bool TryHold(InputWaiter waiter)
    {
        if (waiter.Size <= book.LargestShare) { return book.TryTake(waiter.Account, waiter.Size); }
        if (!TryBeOversized()) { return false; }
        book.Take(waiter.Account, book.LargestShare);
        return true;
    }

    private bool TryBeOversized() => Interlocked.CompareExchange(ref _oversized, 1, 0) == 0;

    private void Grant()
    {
        List<InputWaiter>? granted = null;
        lock (_gate)
        {
            for (var missed = 0; missed < Math.Min(_turns.Count, MostMissed);)
            {
                var turn = _turns.First!;
                var first = turn.Value.First!.Value;
                _turns.RemoveFirst();
                if (!TryHold(first)) { missed++; }
                else
                {
                    (granted ??= []).Add(first);
                    if (Leave(turn, first)) { continue; }
                }
                _turns.AddLast(turn);
            }
        }
        granted?.ForEach(static waiter => waiter.OnGranted());
    }

    /// <summary>Removes the waiter from the queue of its account. Returns whether the queue is empty and the account takes no more turns.</summary>
    private bool Leave(LinkedListNode<LinkedList<InputWaiter>> turn, InputWaiter waiter)
    {
        turn.Value.Remove(waiter.Place!);
        waiter.Place = null;
        return turn.Value.Count == 0 && _waiting.Remove(waiter.Account);
    }
}

/// <summary>An incomplete message that may wait in an <see cref="InputRoom"/>.</summary>
internal abstract class InputWaiter(in Account account)
{
    private readonly Account _account = account;

    /// <summary>The account of the peer.</summary>
    public ref readonly Account Account => ref _account;

    /// <summary>The size of the whole message in bytes.</summary>
    public long Size { get; protected set; }

    /// <summary>The place in the queue of the account; <see langword="null"/> if the message does not wait.</summary>
    public LinkedListNode<InputWaiter>? Place { get; set; }

    /// <summary>Called on any thread when the message is charged.</summary>
    public abstract void OnGranted();
}
