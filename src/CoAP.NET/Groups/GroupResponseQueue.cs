namespace CoAP.Groups;

/// <summary>A bounded queue of a group's responses, from the lane to one reader. The reader waits with or without a thread.</summary>
#pragma warning disable CA1001 // A semaphore holds no system resource unless its wait handle is used, and it is not used here.
internal sealed class GroupResponseQueue(int capacity)
{
#pragma warning restore CA1001
    private readonly Lock _lock = new();
    private readonly Queue<CoapResponse> _queue = new();
    private readonly SemaphoreSlim _changes = new(0);  // one release for each response and one for the end
    private Exception? _error;
    private volatile bool _isComplete;
    private volatile bool _isClosed;

    /// <summary>Whether the reader has left.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether the queue accepts no more responses.</summary>
    public bool IsEnded => _isComplete;

    /// <summary>Adds a response. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(CoapResponse response)
    {
        lock (_lock)
        {
            if (_isComplete || _isClosed) { return true; }
            if (_queue.Count >= capacity) { return false; }
            _queue.Enqueue(response);
        }
        _changes.Release();
        return true;
    }

    /// <summary>Ends the queue, with an error if there is one. Further calls have no effect.</summary>
    public void Complete(Exception? error = null)
    {
        lock (_lock)
        {
            if (_isComplete) { return; }
            (_isComplete, _error) = (true, error);
        }
        _changes.Release();
    }

    /// <summary>Closes the queue for the reader. Returns <see langword="false"/> if it was already closed.</summary>
    public bool TryClose()
    {
        lock (_lock)
        {
            if (_isClosed) { return false; }
            _isClosed = true;
            _queue.Clear();
            return true;
        }
    }

    /// <summary>Waits for the next response and takes it. Returns <see langword="null"/> at the end.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public async ValueTask<CoapResponse?> TakeAsync(CancellationToken cancellationToken)
    {
        await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
        return TakeNow();
    }

    /// <summary>Waits like <see cref="TakeAsync"/>. Blocks the calling thread.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public CoapResponse? Take(CancellationToken cancellationToken)
    {
        _changes.Wait(cancellationToken);
        return TakeNow();
    }

    /// <summary>Takes the next response without a wait. Returns <see langword="null"/> if there is none.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public CoapResponse? TakeNow()
    {
        lock (_lock)
        {
            if (_queue.TryDequeue(out var response)) { return response; }
            return _error is null ? null : throw _error;
        }
    }
}
