namespace CoAP.Observing;

/// <summary>What stands between a lane and the reader of an observation: the newest notifications, and how the observation is. Any thread.</summary>
/// <remarks>Bounded: a reader who is slow misses the older ones, and nobody waits for it. One reader at a time.</remarks>
internal sealed class ObservationFeed(int capacity)
{
    private readonly Queue<Notification> _queue = new();
    private readonly object _gate = new();
    private TaskCompletionSource? _waiter;
    private long _skipped;
    private Exception? _error;

    /// <summary>Is told that the state has changed, on the lane; must not block.</summary>
    public Action? Changed { get; set; }

    /// <summary>Is given each notification before the reader can have it, on the lane; must not block.</summary>
    public Action<CoapResponse>? Arrived { get; set; }

    public ObservationState State { get; private set; }

    public ObservationEnd? EndReason { get; private set; }

    public long Skipped => Interlocked.Read(ref _skipped);

    /// <summary>The last failure that is being healed.</summary>
    public Exception? LastError { get; private set; }

    /// <summary>Adds the newest notification, in the place of the oldest one where there is no room.</summary>
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

    /// <summary>Nothing more will come; what is there can still be taken. The first end counts.</summary>
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

    /// <summary>The next notification; none where it has to be waited for, or nothing more will come.</summary>
    /// <exception cref="CoapException">It has ended in a way that cannot be healed.</exception>
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

    /// <summary>Waits until <see cref="Take"/> has an answer.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
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

    /// <summary>The same, parking the calling thread.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
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
