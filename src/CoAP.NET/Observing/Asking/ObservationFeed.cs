using CoAP.Lanes;
using CoAP.Runtimes;

namespace CoAP.Observing;

/// <summary>The queue between a lane and the reader of an observation: the newest notifications and the state. Safe for concurrent use.</summary>
/// <remarks>Bounded: a slow reader misses older notifications. There is one reader at a time. It takes all notifications before it waits.</remarks>
/// <param name="capacity">The largest number of notifications.</param>
/// <param name="runtime">Continues the reader.</param>
internal sealed class ObservationFeed(int capacity, EndpointRuntime runtime)
{
    private readonly Queue<Notification> _queue = new();
    private readonly Lock _gate = new();
    private readonly ReaderSignal _changes = new(runtime);
    private long _skipped;
    private Exception? _error;

    /// <summary>Called after a change of the state, usually on the lane. Must not block.</summary>
    public Action? Changed { get; set; }

    /// <summary>Called with each notification before the reader gets it, on the lane. Must not block.</summary>
    public Action<CoapResponse>? Arrived { get; set; }

    public ObservationState State { get; private set; }

    public ObservationEnd? EndReason { get; private set; }

    /// <summary>Whether a notification has been published. Used on the lane only.</summary>
    public bool HasPublished { get; private set; }

    public long Skipped => Interlocked.Read(ref _skipped);

    /// <summary>The last failure.</summary>
    public Exception? LastError { get; private set; }

    /// <summary>Adds a notification. If the queue is full, drops the oldest one.</summary>
    public void Publish(CoapResponse response, uint? sequence, TimeSpan elapsed)
    {
        HasPublished = true;
        Arrived?.Invoke(response);
        lock (_gate)
        {
            if (State == ObservationState.Ended) { return; }
            if (_queue.Count >= capacity)
            {
                _queue.Dequeue();
                Interlocked.Increment(ref _skipped);
            }
            _queue.Enqueue(new Notification(response, sequence, elapsed, _skipped));
            _changes.Set();
        }
    }

    /// <summary>Sets the state and, if there is one, the last error.</summary>
    public void Report(ObservationState state, Exception? error = null)
    {
        lock (_gate)
        {
            if (error is not null) { LastError = error; }
            if (State == ObservationState.Ended || State == state) { return; }
            State = state;
        }
        Changed?.Invoke();
    }

    /// <summary>Sets the last error.</summary>
    public void Note(Exception error)
    {
        lock (_gate) { LastError = error; }
    }

    /// <summary>Ends the feed. Queued notifications can still be taken. Only the first call has an effect.</summary>
    public void End(ObservationEnd reason, Exception? error = null)
    {
        lock (_gate)
        {
            if (State == ObservationState.Ended) { return; }
            (State, EndReason, _error) = (ObservationState.Ended, reason, error);
            if (error is not null) { LastError = error; }
            _changes.Set();
        }
        Changed?.Invoke();
    }

    /// <summary>Returns the next notification, or <see langword="null"/> if the queue is empty.</summary>
    /// <param name="isOver">Whether no further notification will come.</param>
    /// <exception cref="CoapException">The observation has failed.</exception>
    public Notification? Take(out bool isOver)
    {
        lock (_gate)
        {
            var next = _queue.TryDequeue(out var found) ? found : null;
            isOver = next is null && State == ObservationState.Ended;
            if (!isOver || _error is not { } error) { return next; }
            _error = null;
            throw error;
        }
    }

    /// <summary>Waits for a notification or the end, after <see cref="Take"/> has found neither.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public Task WaitAsync(CancellationToken cancellationToken) => _changes.WaitAsync(cancellationToken);

    /// <summary>Waits like <see cref="WaitAsync"/>. Blocks the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public void Wait(CancellationToken cancellationToken) => _changes.Wait(cancellationToken);
}
