using System.Diagnostics.CodeAnalysis;

namespace CoAP.Groups;

/// <summary>The answers of a group on their way from the lane to one reader, who waits parked or without a thread. Bounded.</summary>
#pragma warning disable CA1001 // A semaphore holds nothing of the system until its wait handle is asked for, which nobody does here.
internal sealed class GroupResponseQueue(int capacity)
{
#pragma warning restore CA1001
    private readonly Lock _lock = new();
    private readonly Queue<CoapResponse> _queue = new();
    private readonly SemaphoreSlim _changes = new(0);  // one for each answer, and one for the end
    private Exception? _error;
    private bool _isComplete;
    private bool _isClosed;

    /// <summary>Whether nobody reads any more.</summary>
    public bool IsClosed
    {
        get { lock (_lock) { return _isClosed; } }
    }

    /// <summary>Whether no more answers come.</summary>
    public bool IsEnded
    {
        get { lock (_lock) { return _isComplete; } }
    }

    /// <summary>Adds an answer, or tells that there is no room for it.</summary>
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

    /// <summary>No more answers come. The first outcome counts.</summary>
    public void Complete(Exception? error = null)
    {
        lock (_lock)
        {
            if (_isComplete) { return; }
            (_isComplete, _error) = (true, error);
        }
        _changes.Release();
    }

    /// <summary>The reader leaves; whether it was there before.</summary>
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

    /// <summary>Until there is something to take, or the end.</summary>
    public Task WaitAsync(CancellationToken cancellationToken) => _changes.WaitAsync(cancellationToken);

    /// <summary>The same, parking the thread.</summary>
    public void Wait(CancellationToken cancellationToken) => _changes.Wait(cancellationToken);

    /// <summary>After a wait: the next answer, or <see langword="false"/> at the end.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public bool TryTake([NotNullWhen(true)] out CoapResponse? response)
    {
        lock (_lock)
        {
            if (_queue.TryDequeue(out response)) { return true; }
            return _error is null ? false : throw _error;
        }
    }
}
