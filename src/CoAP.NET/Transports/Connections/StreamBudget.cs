namespace CoAP.Transports;

/// <summary>Limits the bytes in flight on all connections of an endpoint. A message that exceeds the limit waits for its turn.</summary>
/// <remarks>
/// Safe for concurrent use. Requests are granted in the order in which they came. A waiter holds few counted bytes, and if no message is granted, the
/// next one is granted whatever room is left. So every waiter is granted in the end.
/// </remarks>
/// <param name="limit">The largest number of bytes.</param>
internal sealed class StreamBudget(long limit)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, IBudgetWaiter Waiter)> _waiting = [];
    private long _used;
    private int _holders;
    private volatile bool _hasWaiting;

    /// <summary>The largest number of bytes.</summary>
    public long Limit => limit;

    /// <summary>The bytes in flight.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Whether the limit is reached.</summary>
    public bool IsFull => Used >= limit;

    /// <summary>Whether this many more bytes may be sent: they fit, or nothing else is in flight.</summary>
    public bool HasRoomFor(long bytes) => Used is var used && (used == 0 || used + bytes <= limit);

    /// <summary>Counts bytes that are already in memory.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Ends the count of bytes that <see cref="Add"/> counted.</summary>
    public void Remove(long bytes)
    {
        Interlocked.Add(ref _used, -bytes);
        GrantNext();
    }

    /// <summary>Counts the rest of a message before its memory is allocated.</summary>
    /// <returns><see langword="false"/> if the message must wait. The waiter is called later.</returns>
    public bool TryTake(long bytes, IBudgetWaiter waiter)
    {
        lock (_gate)
        {
            // Set before the check, so that a thread that makes room after it looks for the waiter.
            _hasWaiting = true;
            Interlocked.MemoryBarrier();
            if (_waiting.Count > 0 || !Fits(bytes))
            {
                _waiting.AddLast((bytes, waiter));
                return false;
            }
            _hasWaiting = false;
            Hold(bytes);
            return true;
        }
    }

    /// <summary>Ends the count of a message that <see cref="TryTake"/> counted or granted later, when it is complete or given up.</summary>
    public void GiveBack(long bytes)
    {
        lock (_gate)
        {
            _holders--;
            Interlocked.Add(ref _used, -bytes);
        }
        GrantNext();
    }

    /// <summary>Cancels the wait. Returns <see langword="false"/> if the waiter was already granted.</summary>
    public bool TryForget(IBudgetWaiter waiter)
    {
        lock (_gate)
        {
            for (var node = _waiting.First; node is not null; node = node.Next)
            {
                if (node.Value.Waiter != waiter) { continue; }
                _waiting.Remove(node);
                _hasWaiting = _waiting.Count > 0;
                return true;
            }
            return false;
        }
    }

    private bool Fits(long bytes) => _holders == 0 || Volatile.Read(ref _used) + bytes <= limit;

    private void Hold(long bytes)
    {
        _holders++;
        Interlocked.Add(ref _used, bytes);
    }

    private void GrantNext()
    {
        if (!_hasWaiting) { return; }
        while (true)
        {
            IBudgetWaiter waiter;
            lock (_gate)
            {
                if (_waiting.First is not { } first || !Fits(first.Value.Bytes)) { return; }
                _waiting.RemoveFirst();
                _hasWaiting = _waiting.Count > 0;
                waiter = first.Value.Waiter;
                Hold(first.Value.Bytes);
            }
            waiter.OnGranted();
        }
    }
}

/// <summary>Waits for room in a <see cref="StreamBudget"/>.</summary>
internal interface IBudgetWaiter
{
    /// <summary>Called on any thread when the requested bytes are counted.</summary>
    void OnGranted();
}
