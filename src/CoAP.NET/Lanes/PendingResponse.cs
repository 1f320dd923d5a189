using CoAP.Runtimes;
using CoAP.Transports;

namespace CoAP.Lanes;

/// <summary>The wait of one caller for a response: a blocked thread (sync) or a task (async). Only the first outcome counts.</summary>
/// <param name="parked">Whether the calling thread blocks until the response arrives.</param>
/// <param name="runtime">Runs the continuations of the caller, or work while the caller blocks.</param>
internal sealed class PendingResponse(bool parked, EndpointRuntime runtime)
{
    private readonly TaskCompletionSource<CoapResponse>? _task = parked ? null : new(runtime.Continuations);
    private readonly ThreadEvent? _event = parked ? ThreadEvent.Current : null;
    private readonly bool _isWait = runtime.BeginWait();
    private CoapResponse? _response;
    private Exception? _error;
    private int _outcome;
    private volatile bool _isThere;

    public bool IsDone => Volatile.Read(ref _outcome) != 0;

    public Task<CoapResponse> Task => _task!.Task;

    public bool TryComplete(CoapResponse response)
    {
        if (!TryHold(response)) { return false; }
        Tell();
        return true;
    }

    /// <summary>Sets the response as the outcome, without notifying the caller yet. Returns <see langword="false"/> if there is an outcome already.</summary>
    public bool TryHold(CoapResponse response)
    {
        if (!TryDecide()) { return false; }
        _response = response;
        return true;
    }

    /// <summary>Notifies the caller of the response that <see cref="TryHold"/> has set.</summary>
    public void Tell()
    {
        if (_task is not null) { runtime.Complete(static caller => ((PendingResponse)caller!).SetResult(), this); }
        else { Unpark(_response, null); }
    }

    public bool TryFail(Exception error)
    {
        if (!TryDecide()) { return false; }
        if (_task is not null) { runtime.Complete(() => _task.SetException(error)); }
        else { Unpark(null, error); }
        return true;
    }

    public bool TryCancel(CancellationToken cancellationToken)
    {
        if (!TryDecide()) { return false; }
        if (_task is not null) { runtime.Complete(() => _task.SetCanceled(cancellationToken)); }
        else { Unpark(null, new OperationCanceledException(cancellationToken)); }
        return true;
    }

    /// <summary>Blocks the calling thread until there is an outcome.</summary>
    public CoapResponse Park()
    {
        runtime.HelpUntil(static caller => ((PendingResponse)caller!)._isThere, this);
        // The thread shares one event for all its calls, which an earlier response may have set.
        if (_event is { } its)
        {
            while (!_isThere) { its.Wait(); }
        }
        else { ParkInMonitor(); }
        return _response ?? throw _error!;
    }

    private void SetResult() => _task!.SetResult(_response!);

    private bool TryDecide()
    {
        if (Interlocked.Exchange(ref _outcome, 1) != 0) { return false; }
        if (_isWait) { runtime.EndWait(); }
        return true;
    }

    private void Unpark(CoapResponse? response, Exception? error)
    {
        (_response, _error) = (response, error);
        _isThere = true;
        if (_event is { } its)
        {
            its.Set();
            return;
        }
        lock (this) { Monitor.Pulse(this); }
    }

    private void ParkInMonitor()
    {
        lock (this)
        {
            while (!_isThere) { Monitor.Wait(this); }
        }
    }
}
