namespace CoAP.Observing;

/// <summary>The queue between a lane and the reader of an observation: the newest notifications and the state. Safe for concurrent use.</summary>
/// <remarks>Bounded: a slow reader misses older notifications. There is one reader at a time.</remarks>
internal sealed class ObservationFeed(int capacity)
{
    private readonly Queue<Notification> _queue = new();
    private readonly object _gate = new();
    private TaskCompletionSource? _waiter;
    private long _skipped;
    private Exception? _error;

    /// <summary>Called after a change of the state, usually on the lane. Must not block.</summary>
    public Action? Changed { get; set; }

    /// <summary>Called with each notification before the reader gets it, on the lane. Must not block.</summary>
    public Action<CoapResponse>? Arrived { get; set; }

    public ObservationState State { get; private set; }

    public ObservationEnd? EndReason { get; private set; }

    public long Skipped => Interlocked.Read(ref _skipped);

    /// <summary>The last failure.</summary>
    public Exception? LastError { get; private set; }

    /// <summary>Adds a notification. If the queue is full, drops the oldest one.</summary>
    public void Publish(CoapResponse response, uint? sequence, TimeSpan elapsed)
    {
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
            Wake();
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

    /// <summary>Ends the feed. Queued notifications can still be taken. Only the first call has an effect.</summary>
    public void End(ObservationEnd reason, Exception? error = null)
    {
        lock (_gate)
        {
            if (State == ObservationState.Ended) { return; }
            (State, EndReason, _error) = (ObservationState.Ended, reason, error);
            if (error is not null) { LastError = error; }
            Wake();
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

    /// <summary>Waits for a notification or the end.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource waiter;
        lock (_gate)
        {
            if (HasAnswer) { return; }
            waiter = _waiter = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }
        await waiter.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits for a notification or the end. Blocks the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public void Park(CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(static feed => ((ObservationFeed)feed!).Pulse(), this);
        lock (_gate)
        {
            while (!HasAnswer)
            {
                cancellationToken.ThrowIfCancellationRequested();
                Monitor.Wait(_gate);
            }
        }
    }

    private bool HasAnswer => _queue.Count > 0 || State == ObservationState.Ended;

    private void Pulse()
    {
        lock (_gate) { Monitor.PulseAll(_gate); }
    }

    private void Wake()
    {
        _waiter?.TrySetResult();
        _waiter = null;
        Monitor.PulseAll(_gate);
    }
}
