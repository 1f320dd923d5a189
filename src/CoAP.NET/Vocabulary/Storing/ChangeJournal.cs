using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Passes changes to a user's store outside the lanes, because a store may block.</summary>
/// <remarks>
/// Safe for concurrent use. Only the last change of each key waits. If the number of keys is limited, the waiting changes need no limit of their own, even if
/// the store hangs.
/// </remarks>
/// <typeparam name="TKey">What a change is about.</typeparam>
/// <typeparam name="TChange">A change, which replaces an earlier one with the same key that still waits.</typeparam>
public abstract class ChangeJournal<TKey, TChange>
    where TKey : notnull
    where TChange : class
{
    // The end of the endpoint waits no longer for a store that hangs.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, LinkedListNode<(TKey Key, TChange Change)>> _waiting = new(SeededComparer<TKey>.Default);
    private readonly LinkedList<(TKey Key, TChange Change)> _order = new();
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly JournalRest? _rest;
    private Task _writing = Task.CompletedTask;
    private bool _isWriting;
    private bool _isCompleted;
    private bool _isAbandoned;

    /// <summary>Creates a journal that writes each change at once.</summary>
    protected ChangeJournal()
    {
    }

    private protected ChangeJournal(JournalRest rest) => _rest = rest;

    /// <summary>The number of changes that wait for the store.</summary>
    public int Count
    {
        get
        {
            lock (_gate) { return _order.Count; }
        }
    }

    /// <summary>Accepts no further changes and writes those that wait, for at most 5 s. If the store takes too long, they are dropped, and the store gets no further calls.</summary>
    /// <param name="time">The clock.</param>
    public async Task CompleteAsync(TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        Task writing;
        lock (_gate) { (_isCompleted, writing) = (true, _writing); }
        _end.TrySetResult();
        if (!await writing.EndsWithinAsync(Patience, time).ConfigureAwait(false))
        {
            OnFailed(new TimeoutException($"The store did not return within {Patience.TotalSeconds} s. {Abandon()} changes were not stored."));
        }
    }

    /// <summary>Adds a change. Does nothing after <see cref="CompleteAsync"/>.</summary>
    /// <param name="key">What the change is about.</param>
    /// <param name="change">The change.</param>
    protected void Add(TKey key, TChange change)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(change);
        lock (_gate)
        {
            if (_isCompleted) { return; }       // only a lane that user code has blocked is later than the end
            if (!_waiting.TryGetValue(key, out var earlier)) { _waiting[key] = _order.AddLast((key, change)); }
            else if (Merge(earlier.Value.Change, change) is { } merged) { earlier.Value = (key, merged); }
            else
            {
                _order.Remove(earlier);
                _waiting.Remove(key);
            }
            if (_isWriting || _order.Count == 0) { return; }
            _isWriting = true;
            _writing = Task.Run(WriteAsync);
        }
    }

    /// <summary>Returns the change that replaces two with the same key; <see langword="null"/> if the store needs neither of them.</summary>
    /// <param name="earlier">The change that waits. The store has not seen it.</param>
    /// <param name="later">The new change.</param>
    /// <remarks>Called on the thread that adds the change, so it must return quickly.</remarks>
    protected abstract TChange? Merge(TChange earlier, TChange later);

    /// <summary>Gives a change to the store. It may block and throw.</summary>
    /// <param name="change">The change.</param>
    protected abstract void Apply(TChange change);

    /// <summary>Called after the last of several changes. It may block and throw.</summary>
    protected abstract void Flush();

    /// <summary>Called when the store has thrown an exception, or has not returned in time at the end.</summary>
    /// <param name="exception">The exception.</param>
    protected abstract void OnFailed(Exception exception);

    /// <summary>Called when the store has thrown an exception for a change, which is lost then.</summary>
    /// <param name="change">The change.</param>
    protected virtual void OnRefused(TChange change)
    {
    }

    private int Abandon()
    {
        lock (_gate)
        {
            var count = _order.Count;
            _isAbandoned = true;
            _order.Clear();
            _waiting.Clear();
            return count;
        }
    }

    private async Task WriteAsync()
    {
        var unflushed = 0;
        var batch = 0;
        while (TryTake(unflushed > 0, ref batch, out var change))
        {
            if (change is { } taken)
            {
                unflushed++;
                // A store that is full refuses a change, but the changes before it must reach the disk.
                if (!TryCall(() => Apply(taken))) { OnRefused(taken); }
            }
            if (!MustFlush(batch)) { continue; }
            unflushed = 0;
            batch = 0;
            var start = _rest?.Time.GetTimestamp() ?? 0;
            TryCall(Flush);
            if (_rest is null) { continue; }
            var rest = _rest.After(_rest.Time.GetElapsedTime(start));
            if (rest == TimeSpan.Zero) { continue; }
            await _end.Task.WaitAsync(rest, _rest.Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // Returns true without a change if the last one of a batch was merged away after others had been applied: they must be flushed.
    private bool TryTake(bool hasUnflushed, ref int batch, out TChange? change)
    {
        lock (_gate)
        {
            change = null;
            _isWriting = _order.First is not null || (hasUnflushed && !_isAbandoned);
            if (_order.First is not { } first) { return _isWriting; }
            if (batch == 0) { batch = _order.Count; }
            batch--;
            change = first.Value.Change;
            _order.RemoveFirst();
            return _waiting.Remove(first.Value.Key);
        }
    }

    // A batch has the changes that waited at its begin. Those that come meanwhile must not put off its flush without end.
    private bool MustFlush(int batch)
    {
        lock (_gate) { return (batch == 0 || _order.Count == 0) && !_isAbandoned; }
    }

    private bool TryCall(Action call)
    {
        try
        {
            call();
            return true;
        }
        catch (Exception exception) // The edge to the user's store: the endpoint continues without it.
        {
            OnFailed(exception);
            return false;
        }
    }
}
