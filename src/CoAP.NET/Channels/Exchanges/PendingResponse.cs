namespace CoAP.Channels;

/// <summary>One caller who waits for a response: parked on this object (sync), or with a task (async). The first outcome counts.</summary>
internal sealed class PendingResponse
{
    private readonly TaskCompletionSource<CoapResponse>? _task;
    private CoapResponse? _response;
    private Exception? _error;
    private int _outcome;

    public PendingResponse(bool parked) => _task = parked ? null : new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsDone => Volatile.Read(ref _outcome) != 0;

    public Task<CoapResponse> Task => _task!.Task;

    public bool TryComplete(CoapResponse response)
    {
        if (!TryDecide()) { return false; }
        if (_task is not null) { _task.SetResult(response); }
        else { Unpark(response, null); }
        return true;
    }

    public bool TryFail(Exception error)
    {
        if (!TryDecide()) { return false; }
        if (_task is not null) { _task.SetException(error); }
        else { Unpark(null, error); }
        return true;
    }

    public bool TryCancel(CancellationToken cancellationToken)
    {
        if (!TryDecide()) { return false; }
        if (_task is not null) { _task.SetCanceled(cancellationToken); }
        else { Unpark(null, new OperationCanceledException(cancellationToken)); }
        return true;
    }

    /// <summary>Parks the calling thread; time-outs, cancellation and the lane's end wake it.</summary>
    public CoapResponse Park()
    {
        lock (this)
        {
            while (_response is null && _error is null) { Monitor.Wait(this); }
        }
        return _response ?? throw _error!;
    }

    private bool TryDecide() => Interlocked.Exchange(ref _outcome, 1) == 0;

    private void Unpark(CoapResponse? response, Exception? error)
    {
        lock (this)
        {
            (_response, _error) = (response, error);
            Monitor.Pulse(this);
        }
    }
}
