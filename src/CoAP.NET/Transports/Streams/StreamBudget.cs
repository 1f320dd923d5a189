namespace CoAP.Transports;

/// <summary>Counts the bytes in flight on all connections of an endpoint, and lets messages wait for room. Safe for concurrent use.</summary>
/// <remarks>
/// Who waits holds little of what is counted, and where nobody holds a whole message the next one gets its room whatever is left: so all that waits
/// goes on in the end. The order is that of asking.
/// </remarks>
/// <param name="limit">The bytes, <see cref="CoapEndpointSettings.MaxInFlightSize"/>.</param>
internal sealed class StreamBudget(long limit)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, IBudgetWaiter Waiter)> _waiting = [];
    private long _used;
    private int _holders;
    private volatile bool _hasWaiting;

    public long Limit => limit;

    /// <summary>The bytes that are counted now.</summary>
    public long Used => Volatile.Read(ref _used);

    public bool IsFull => Used >= limit;

    /// <summary>Whether so many bytes more may be sent: they fit, or nothing else is under way.</summary>
    public bool HasRoomFor(long bytes) => Used is var used && (used == 0 || used + bytes <= limit);

    /// <summary>Counts what is there already.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>What was counted by <see cref="Add"/> is gone.</summary>
    public void Remove(long bytes)
    {
        Interlocked.Add(ref _used, -bytes);
        GrantNext();
    }

    /// <summary>Counts the rest of a message before its memory is taken; <see langword="false"/> where it has to wait and is told.</summary>
    public bool TryTake(long bytes, IBudgetWaiter waiter)
    {
        lock (_gate)
        {
            if (_waiting.Count == 0 && Fits(bytes))
            {
                Hold(bytes);
                return true;
            }
            _waiting.AddLast((bytes, waiter));
            _hasWaiting = true;
            // Whoever made room before it could see the waiter is seen here.
            Interlocked.MemoryBarrier();
            if (_waiting.Count > 1 || !Fits(bytes)) { return false; }
            RemoveFirst();
            Hold(bytes);
            return true;
        }
    }

    /// <summary>A message that <see cref="TryTake"/> counted, or that was granted later, is whole or given up.</summary>
    public void GiveBack(long bytes)
    {
        lock (_gate)
        {
            _holders--;
            Interlocked.Add(ref _used, -bytes);
        }
        GrantNext();
    }

    /// <summary>Waits no more; <see langword="false"/> where it has its grant already.</summary>
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

    private void RemoveFirst()
    {
        _waiting.RemoveFirst();
        _hasWaiting = _waiting.Count > 0;
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
                RemoveFirst();
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
    /// <summary>What was asked for is counted now. On any thread.</summary>
    void OnGranted();
}
