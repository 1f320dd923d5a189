using CoAP.Lanes;
using CoAP.Runtimes;

namespace CoAP.Exchanges;

/// <summary>A bounded queue of responses to one request, from the lane to its reader. The reader waits with or without a thread.</summary>
/// <param name="capacity">The most responses that wait for the reader.</param>
/// <param name="runtime">Continues the reader.</param>
internal sealed class ResponseQueue(int capacity, EndpointRuntime runtime)
{
    private readonly Lock _lock = new();
    private readonly Queue<CoapResponse> _queue = new();
    private readonly ReaderSignal _changes = new(runtime);
    private Exception? _error;
    private volatile bool _isComplete;
    private volatile bool _isClosed;

    /// <summary>Whether the reader has left.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether the queue accepts no more responses.</summary>
    public bool IsEnded => _isComplete;

    /// <summary>The number of responses that wait for the reader.</summary>
    public int Count
    {
        get { lock (_lock) { return _queue.Count; } }
    }

    /// <summary>Adds a response. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(CoapResponse response)
    {
        lock (_lock)
        {
            if (_isComplete || _isClosed) { return true; }
            if (_queue.Count >= capacity) { return false; }
            _queue.Enqueue(response);
        }
        _changes.Set();
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
        _changes.Set();
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
        cancellationToken.ThrowIfCancellationRequested();
        CoapResponse? response;
        while (!TryTake(out response))
        {
            await _changes.WaitAsync(cancellationToken).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
        return response;
    }

    /// <summary>Waits like <see cref="TakeAsync"/>. Blocks the calling thread.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public CoapResponse? Take(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        CoapResponse? response;
        while (!TryTake(out response))
        {
            _changes.Wait(cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
        }
        return response;
    }

    /// <summary>Takes the next response without a wait. Returns <see langword="null"/> if there is none.</summary>
    /// <exception cref="CoapException">The request failed.</exception>
    public CoapResponse? TakeNow() => TryTake(out var response) ? response : null;

    // Returns true with null at the end.
    private bool TryTake(out CoapResponse? response)
    {
        lock (_lock)
        {
            if (_queue.TryDequeue(out response)) { return true; }
            return _error is null ? _isComplete : throw _error;
        }
    }
}
