using CoAP.Accounting;
using CoAP.Lanes;
using CoAP.Runtimes;

namespace CoAP.Resources;

/// <summary>A bounded queue and the threads that run its items. Items may block these threads. The thread pool stays free for connections.</summary>
/// <param name="run">Processes an item. Must not throw.</param>
/// <param name="queue">Limits the items of each account that wait or are in progress.</param>
/// <param name="threads">Limits the threads of each account. Its limit is the largest number of threads.</param>
/// <param name="unsent">The unsent responses. The items of an account that holds its share wait until its peers have read.</param>
/// <remarks>
/// Safe for concurrent use. Accounts take turns, and no account holds more threads than are free. Handlers that block for one peer therefore do not stop
/// the handlers of other peers. A thread starts when it is needed and ends after an idle time. Quick items share a thread, because waking a
/// thread takes longer than running them. If one of them is slow after all, <see cref="Spread"/> finds threads for those behind it.
/// </remarks>
internal sealed class HandlerThreads<T>(Action<T> run, LedgerBook queue, LedgerBook threads, LedgerBook unsent)
{
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(0.5);

    private readonly Lock _gate = new();
    private readonly WaitingItems<T> _waiting = new(threads, unsent);
    private readonly List<HandlerThread> _parked = [];   // the last one is woken first, because its stack is still in the cache
    private int _count;
    private int _coming;        // the threads that will soon look for an item: woken ones, and those with a quick item
    private int _withQuick;     // the threads of these that have a quick item
    private int _spreads;       // how often threads with quick items were found blocked
    private int _takenBefore;   // when somebody looked last
    private long _lookedAt;
    private bool _isCompleted;

    /// <summary>How long the first item of the unverified addresses may wait before the next one is refused. All of them share one queue.</summary>
    public TimeSpan MaxUnverifiedDelay { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>The clock that measures delays.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Starts the threads. If it has none, it runs the items when it has time.</summary>
    public EndpointRuntime Runtime { get; init; } = EndpointRuntime.Threads;

    /// <summary>Adds an item. The queue accepts nothing after <see cref="Complete"/>.</summary>
    /// <param name="item">The item.</param>
    /// <param name="account">The account of its peer.</param>
    /// <param name="isStream">Whether its response is sent over a connection, so that it may have to wait for the peer to read earlier ones.</param>
    public Charge TryQueue(T item, in Account account, bool isStream = false)
    {
        var charge = TryCharge(account);
        if (charge != Charge.Accepted) { return charge; }
        List<(T Item, Charge Charge)> refused = [];
        Add([new(item, account, isStream, IsQuick: false)], refused);
        return refused is [var refusal] ? refusal.Charge : charge;
    }

    /// <summary>Charges an account for an item that <see cref="Add"/> then adds.</summary>
    public Charge TryCharge(in Account account) => queue.TryCharge(account);

    /// <summary>Adds items whose accounts have been charged, and wakes as many threads as they need.</summary>
    /// <param name="items">The items.</param>
    /// <param name="refused">Gets the refused items. Their charges are released.</param>
    public void Add(ReadOnlySpan<HandlerItem<T>> items, List<(T Item, Charge Charge)> refused)
    {
        WokenThreads woken;
        lock (_gate)
        {
            var slow = 0;
            foreach (ref readonly var item in items)
            {
                if (Refusal(item) is { } refusal) { refused.Add((item.Item, refusal)); }
                else if (!Enqueue(item)) { slow++; }
            }
            woken = WakeFor(slow);
        }
        Begin(woken);
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
        WokenThreads woken;
        lock (_gate)
        {
            _waiting.AddFirst(item, account, Time.GetTimestamp());
            woken = WakeFor(slow: 1);
        }
        Begin(woken);
    }

    /// <summary>
    /// Wakes a thread for each waiting item if threads have quick items and none was taken since the last call. These threads are then
    /// blocked.
    /// </summary>
    /// <param name="isLast">Whether nobody looks again, so that the threads count as blocked in any case.</param>
    public void Spread(bool isLast = false)
    {
        WokenThreads woken;
        lock (_gate)
        {
            if (_withQuick == 0 || (!isLast && !IsStuck())) { return; }
            _spreads++;
            (_coming, _withQuick) = (_coming - _withQuick, 0);
            woken = Wake(_waiting.Count - _coming);
        }
        Begin(woken);
    }

    /// <summary>Accepts no further items. Waiting items are still processed.</summary>
    public void Complete()
    {
        WokenThreads woken;
        lock (_gate)
        {
            _isCompleted = true;
            woken = Wake(_parked.Count);
        }
        Begin(woken);
    }

    // Several lanes look. Too soon after another one, nothing can be said.
    private bool IsStuck()
    {
        var now = Time.GetTimestamp();
        if (Time.GetElapsedTime(_lookedAt, now) < LeastPause) { return false; }
        var isStuck = _waiting.Taken == _takenBefore;
        (_takenBefore, _lookedAt) = (_waiting.Taken, now);
        return isStuck;
    }

    // Items whose accounts held too many unsent responses may continue.
    private void OnRoom()
    {
        WokenThreads woken;
        lock (_gate)
        {
            if (_waiting.Count == 0) { return; }
            _waiting.AddRoom();
            woken = Wake(1);
        }
        Begin(woken);
    }

    // A slow item needs a thread of its own, and all quick ones together one. Threads that will soon look for an item already cover as
    // many.
    private WokenThreads WakeFor(int slow)
    {
        var needed = _waiting.Slow + (_waiting.Quick > 0 ? 1 : 0);
        return Wake(Math.Min(needed - _coming, slow + (_waiting.Quick > 0 ? 1 : 0)));
    }

    // The caller starts them after it has left the gate.
    private WokenThreads Wake(int missing)
    {
        WokenThreads woken = default;
        for (; missing > 0 && _parked is [.., var thread]; missing--)
        {
            _parked.RemoveAt(_parked.Count - 1);
            (thread.Next, woken.Parked) = (woken.Parked, thread);
            _coming++;
        }
        woken.New = (int)Math.Clamp(threads.Limit - _count, 0, Math.Max(missing, 0));
        (_count, _coming) = (_count + woken.New, _coming + woken.New);
        return woken;
    }

    private void Begin(in WokenThreads woken)
    {
        for (var thread = woken.Parked; thread is not null;)
        {
            var next = thread.Next;
            thread.Next = null;
            thread.Wake();
            thread = next;
        }
        if (woken.New > 0) { Runtime.StartThreads(woken.New, "CoAP handlers", Run); }
    }

    private void Run()
    {
        var wakes = Runtime.HasThreads ? DeferredWakes.Begin() : null;
        var thread = new HandlerThread();
        while (TryTake(thread, wakes, out var item))
        {
            // The answers of quick items may wait for each other, but not for a slow one.
            wakes?.Defer(item.IsQuick);
            run(item.Item);
            threads.Release(item.Account);
            queue.Release(item.Account);
            lock (_gate) { Return(thread, item.IsQuick); }
        }
        wakes?.End();
    }

    // A thread that has returned from an item looks for the next one.
    private void Return(HandlerThread thread, bool wasQuick)
    {
        if (wasQuick && thread.Spreads == _spreads) { _withQuick--; }
        else { _coming++; }
    }

    private bool TryTake(HandlerThread thread, DeferredWakes? wakes, out WaitingItem<T> item)
    {
        var isPatient = Runtime.HasThreads;
        while (true)
        {
            WokenThreads woken;
            lock (_gate)
            {
                if (!_waiting.TryTake(_gate, OnRoom, out item))
                {
                    _coming--;
                    // The accounts of the remaining items hold their share of threads. One of these threads takes the items later.
                    if (!isPatient || (_isCompleted && _waiting.Count == 0))
                    {
                        _count--;
                        return false;
                    }
                    _parked.Add(thread);
                    woken = default;
                }
                else { woken = OnTaken(thread, item); }
            }
            if (item.IsTaken)
            {
                Begin(woken);
                return true;
            }
            wakes?.Wake();
            isPatient = SleepUntilWoken(thread);
        }
    }

    private WokenThreads OnTaken(HandlerThread thread, in WaitingItem<T> item)
    {
        if (item.IsQuick) { _withQuick++; }
        else { _coming--; }
        thread.Spreads = _spreads;
        return _waiting.MayHaveRoom ? Wake(Math.Min(1, _parked.Count)) : default;       // there may be room for another item
    }

    // Returns false if the thread leaves, because it was not needed for the idle time. The last one stays: where many programs run,
    // starting a thread takes long.
    private bool SleepUntilWoken(HandlerThread thread)
    {
        while (!thread.Sleep(IdleTime))
        {
            lock (_gate)
            {
                if (_count == 1 && _parked.Count == 1) { continue; }
                if (_parked.Remove(thread))
                {
                    _coming++;
                    return false;
                }
            }
            // Somebody has woken it just after its idle time.
            thread.Sleep(Timeout.InfiniteTimeSpan);
            return true;
        }
        return true;
    }

    private Charge? Refusal(in HandlerItem<T> item)
    {
        if (!_isCompleted && !IsLate(item)) { return null; }
        queue.Release(item.Account);
        if (_isCompleted) { return Charge.Full; }
        queue.CountRefusal();
        return Charge.OverShare;
    }

    // Returns whether the item shares a thread. If there are no threads, it does not, because one item may run another.
    private bool Enqueue(in HandlerItem<T> item)
    {
        var isQuick = item.IsQuick && Runtime.HasThreads;
        _waiting.Add(item with { IsQuick = isQuick }, Time.GetTimestamp());
        return isQuick;
    }

    // A length says nothing about the delay: with a handler of 20 ms, 500 waiting requests are 10 s.
    private bool IsLate(in HandlerItem<T> item) =>
        item.Account.IsUnverified && MaxUnverifiedDelay > TimeSpan.Zero
        && _waiting.FirstSince(new(item.Account, item.IsStream)) is { } since && Time.GetElapsedTime(since) >= MaxUnverifiedDelay;
}
