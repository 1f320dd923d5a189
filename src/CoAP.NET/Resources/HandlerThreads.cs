using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Resources;

/// <summary>A bounded queue and the threads that run its items. Items may block these threads. The thread pool stays free for connections.</summary>
/// <param name="run">Processes an item. Must not throw.</param>
/// <param name="queue">Limits the items of each account that wait or are in progress.</param>
/// <param name="threads">Limits the threads of each account. Its limit is the largest number of threads.</param>
/// <param name="unsent">The unsent responses. The items of an account that holds its share wait until its peers have read.</param>
/// <remarks>
/// Safe for concurrent use. Accounts take turns, and no account holds more threads than are free. Handlers that block for one peer therefore do not stop
/// the handlers of other peers. A thread starts when it is needed and ends after an idle time.
/// </remarks>
/// <param name="scheduler">Runs the items instead of threads; <see langword="null"/> if threads do.</param>
internal sealed class HandlerThreads<T>(Action<T> run, LedgerBook queue, LedgerBook threads, LedgerBook unsent, NetworkScheduler? scheduler = null)
{
    // The holder of an IPv6 site has thousands of accounts. After so many that must wait, lanes get the gate in between.
    private const int MostMissed = 64;

    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(20);

    private readonly object _gate = new();
    private readonly Dictionary<HandlerTurn, Queue<(T Item, long Since)>> _waiting = [];
    private readonly LinkedList<HandlerTurn> _turns = new();        // the accounts with waiting items
    private readonly Queue<(T Item, Account Account)> _first = new();     // items that others wait for
    private bool _hasRoom;      // an account that had to wait for room may continue
    private int _waitingCount;
    private int _changes;       // counts added items, and room for accounts that had to wait
    private int _idle;
    private int _count;
    private bool _isCompleted;

    /// <summary>How long the first item of the unverified addresses may wait before the next one is refused. All of them share one queue.</summary>
    public TimeSpan MaxUnverifiedDelay { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>The clock that measures delays.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Adds an item. The queue accepts nothing after <see cref="Complete"/>.</summary>
    /// <param name="item">The item.</param>
    /// <param name="account">The account of its peer.</param>
    /// <param name="isStream">Whether its response is sent over a connection, so that it may have to wait for the peer to read earlier ones.</param>
    public Charge TryQueue(T item, in Account account, bool isStream = false)
    {
        var charge = queue.TryCharge(account);
        if (charge != Charge.Accepted) { return charge; }
        lock (_gate)
        {
            if (_isCompleted || IsLate(new(account, isStream)))
            {
                queue.Release(account);
                if (_isCompleted) { return Charge.Full; }
                queue.CountRefusal();
                return Charge.OverShare;
            }
            if (!EnqueueForNewThread(item, new(account, isStream))) { return charge; }
        }
        Begin();
        return charge;
    }

    /// <summary>Adds an item that a thread has had before and that is not finished, while others wait for it.</summary>
    /// <remarks>
    /// It is charged without a check. It gets the next free thread, even if its account holds its share of threads. Otherwise, an account
    /// could make those who wait for the item wait for all its other items.
    /// </remarks>
    /// <param name="item">The item.</param>
    /// <param name="account">The account of its peer.</param>
    public void Requeue(T item, in Account account)
    {
        queue.Take(account);
        lock (_gate)
        {
            _first.Enqueue((item, account));
            if (!NeedsThread()) { return; }
        }
        Begin();
    }

    /// <summary>Accepts no further items. Waiting items are still processed.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isCompleted = true;
            Monitor.PulseAll(_gate);
        }
    }

    // Items whose accounts held too many unsent responses may continue.
    private void OnRoom()
    {
        lock (_gate)
        {
            if (_waitingCount == 0) { return; }
            _hasRoom = true;
            _changes++;
            Monitor.Pulse(_gate);
            if (_idle > 0 || _count == threads.Limit) { return; }
            _count++;
        }
        Begin();
    }

    private void Begin()
    {
        if (scheduler is not null)
        {
            scheduler.Queue(Run);
            return;
        }
        try { new Thread(Run) { IsBackground = true, Name = "CoAP handlers" }.UnsafeStart(); }
        catch (OutOfMemoryException)
        {
            // The system has no more threads. A thread of the pool takes the place of one.
            ThreadPool.UnsafeQueueUserWorkItem(static threads => threads.Run(), this, preferLocal: false);
        }
    }

    private void Run()
    {
        while (TryTake(out var item, out var account))
        {
            run(item);
            threads.Release(account);
            queue.Release(account);
        }
    }

    private bool TryTake(out T item, out Account account)
    {
        lock (_gate)
        {
            var isPatient = scheduler is null;
            while (!TryDequeue(out item!, out account))
            {
                // The accounts of the remaining items hold their share of threads. One of these threads takes the items later.
                if (!isPatient || (_isCompleted && _waitingCount == 0))
                {
                    _count--;
                    return false;
                }
                _idle++;
                isPatient = Monitor.Wait(_gate, IdleTime);
                _idle--;
            }
            return true;
        }
    }

    // Returns whether the item needs another thread, which the caller has to begin.
    private bool EnqueueForNewThread(T item, in HandlerTurn place)
    {
        Enqueue(item, place);
        return NeedsThread();
    }

    private bool NeedsThread()
    {
        _waitingCount++;
        _changes++;
        // Threads can be idle while items wait, if the accounts of these items have used up their share of threads.
        if (_idle > 0) { Monitor.Pulse(_gate); }
        if (_waitingCount <= _idle || _count == threads.Limit) { return false; }
        _count++;
        return true;
    }

    private void Enqueue(T item, in HandlerTurn place)
    {
        if (!_waiting.TryGetValue(place, out var ofAccount))
        {
            _waiting[place] = ofAccount = new();
            _turns.AddLast(place);
        }
        ofAccount.Enqueue((item, Time.GetTimestamp()));
    }

    // A length says nothing about the delay: with a handler of 20 ms, 500 waiting requests are 10 s.
    private bool IsLate(in HandlerTurn place) =>
        place.Account.IsUnverified && MaxUnverifiedDelay > TimeSpan.Zero && _waiting.TryGetValue(place, out var ofAccount)
        && Time.GetElapsedTime(ofAccount.Peek().Since) >= MaxUnverifiedDelay;

    // Not Monitor.Wait, because this thread would take a pulse away from an idle one.
    private void LetOthersIn()
    {
        Monitor.Exit(_gate);
        Thread.Yield();
        Monitor.Enter(_gate);
    }

    private bool TryDequeueFirst([MaybeNullWhen(false)] out T item, out Account account)
    {
        var isTaken = _first.TryDequeue(out var first);
        (item, account) = first;
        if (!isTaken) { return false; }
        threads.Take(account);
        Leave();
        return true;
    }

    private void Leave()
    {
        _waitingCount--;
        if (_hasRoom && _idle > 0) { Monitor.Pulse(_gate); }       // there may be room for another item
    }

    // Takes the first item of the first account that may hold another thread. Only an account that holds a thread can exceed its share.
    private bool TryDequeue([MaybeNullWhen(false)] out T item, out Account account)
    {
        if (TryDequeueFirst(out item, out account)) { return true; }
        var seen = _changes;
        for (var missed = 0; missed < _turns.Count; missed++)
        {
            if (missed > 0 && missed % MostMissed == 0)
            {
                LetOthersIn();
                if (TryDequeueFirst(out item, out account)) { return true; }
                // What has changed meanwhile may have woken no thread, because this one is awake.
                if (_changes != seen) { (missed, seen) = (0, _changes); }
                if (_turns.Count == 0) { break; }
            }
            var turn = _turns.First!;
            account = turn.Value.Account;
            _turns.RemoveFirst();
            if ((turn.Value.IsStream && unsent.MustWait(account, OnRoom)) || !threads.TryTake(account))
            {
                _turns.AddLast(turn);
                continue;
            }
            var ofAccount = _waiting[turn.Value];
            (item, _) = ofAccount.Dequeue();
            if (ofAccount.Count > 0) { _turns.AddLast(turn); }
            else { _waiting.Remove(turn.Value); }
            Leave();
            return true;
        }
        (item, account, _hasRoom) = (default, default, false);
        return false;
    }
}

/// <summary>The items of an account that take turns together.</summary>
internal readonly record struct HandlerTurn(Account Account, bool IsStream) : ISeededKey
{
    public override int GetHashCode() => SeededHash.Combine(Account.GetHashCode(), IsStream ? 1 : 0);
}
