using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Resources;

/// <summary>A bounded queue and the threads that run its items. Items may block these threads, but not those of the pool, which serve connections.</summary>
/// <param name="run">Processes an item. Must not throw.</param>
/// <param name="queue">What each account may have waiting or in progress.</param>
/// <param name="threads">The threads that each account may hold. Its limit is the most threads.</param>
/// <remarks>
/// Safe for concurrent use. Accounts take turns, and none holds more threads than are free, so handlers that block for one peer do not stop those of
/// the others. A thread starts when it is needed and ends after an idle time.
/// </remarks>
internal sealed class HandlerThreads<T>(Action<T> run, LedgerBook queue, LedgerBook threads)
{
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(20);

    private readonly object _gate = new();
    private readonly Dictionary<Account, Queue<T>> _waiting = [];
    private readonly LinkedList<Account> _turns = new();        // of the accounts with items that wait
    private int _waitingCount;
    private int _idle;
    private int _count;
    private bool _isCompleted;

    /// <summary>Adds an item. The queue accepts nothing after <see cref="Complete"/>.</summary>
    public Charge TryQueue(T item, in Account account)
    {
        lock (_gate)
        {
            if (_isCompleted) { return Charge.Full; }
            var charge = queue.TryCharge(account);
            if (charge != Charge.Accepted) { return charge; }
            Enqueue(item, account);
            // A thread can be idle while items wait, if their accounts hold their share of threads.
            if (_idle > 0) { Monitor.Pulse(_gate); }
            if (_waitingCount <= _idle || _count == threads.Limit) { return charge; }
            _count++;
        }
        Begin();
        return Charge.Accepted;
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

    private void Begin()
    {
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
            var isPatient = true;
            while (!TryDequeue(out item!, out account))
            {
                // Items that wait for a thread of their account are taken by that thread.
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

    private void Enqueue(T item, in Account account)
    {
        if (!_waiting.TryGetValue(account, out var ofAccount))
        {
            _waiting[account] = ofAccount = new Queue<T>();
            _turns.AddLast(account);
        }
        ofAccount.Enqueue(item);
        _waitingCount++;
    }

    // Takes the first item of the first account that may hold another thread. Only accounts with a thread can be over their share.
    private bool TryDequeue([MaybeNullWhen(false)] out T item, out Account account)
    {
        for (var turn = _turns.First; turn is not null; turn = turn.Next)
        {
            account = turn.Value;
            if (threads.TryCharge(account) != Charge.Accepted) { continue; }
            var ofAccount = _waiting[account];
            item = ofAccount.Dequeue();
            _waitingCount--;
            _turns.Remove(turn);
            if (ofAccount.Count > 0) { _turns.AddLast(turn); }
            else { _waiting.Remove(account); }
            return true;
        }
        (item, account) = (default, default);
        return false;
    }
}
