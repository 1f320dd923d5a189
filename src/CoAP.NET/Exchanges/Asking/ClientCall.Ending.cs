using CoAP.Lanes;
using CoAP.Options;
using CoAP.Robust;

namespace CoAP.Exchanges;

/// <content>How a call ends: with a response, with a failure, or because nobody waits any more.</content>
internal sealed partial class ClientCall
{
    /// <summary>Gives up the message that is on its way.</summary>
    public void CancelExchange() => _exchange?.Cancel();

    /// <summary>The call has its response.</summary>
    public void Complete(CoapCode code, OptionSet options, ReadOnlyMemory<byte> payload)
    {
        EndTransfer();
        var roundTrip = TimeSpan.FromTicks(Lane.Now - _startedAt ?? 0);
        CoapMetrics.RecordRequest(Request.Method, code, roundTrip);
        CoapTracing.End(_activity, code);
        var response = new CoapResponse(code)
        {
            Options = options,
            Payload = code.MayHavePayload ? payload : default,
            Remote = Key.Peer,
            Asked = Request,
            RoundTripTime = roundTrip,
            FollowsBlocks = Transfer is { HasSentBlocks: true } || _way is RobustCall,
        };
        if (!Caller.TryHold(response)) { return; }
        Lane.TellLater(Caller);
        Work?.End(isSuccess: true);
        Ended?.Invoke(response, null);
    }

    /// <summary>Nobody wants the response any more. On the lane.</summary>
    public void GiveUp()
    {
        if (!Caller.TryCancel(default)) { return; }
        CancelExchange();
        EndTransfer();
        _activity?.Dispose();
    }

    /// <summary>The call has failed.</summary>
    public void Fail(Exception error)
    {
        if (Caller.IsDone) { return; }
        EndTransfer();
        var startedAt = _exchange?.StartedAt is null ? null : _startedAt;
        Lane.Metrics.FailedRequests++;
        CoapMetrics.RecordFailure(Request.Method, error, TimeSpan.FromTicks(Lane.Now - startedAt ?? 0));
        CoapTracing.Fail(_activity, error);
        if (!Caller.TryFail(error)) { return; }
        Work?.End(isSuccess: false);
        Ended?.Invoke(null, error);
    }

    /// <summary>What the caller does for the call has failed, outside of the lane.</summary>
    public void FailByCaller(Exception error)
    {
        if (HoldsMemory) { Lane.Post(new Leaving(this, () => Caller.TryFail(error))); }
        else if (Caller.TryFail(error)) { EndFromElsewhere(); }
    }

    // A large payload is not copied: who gave it may have it back when the lane says that it is needed no more.
    private bool HoldsMemory => Lane.IsReliable && Request.Payload.Length >= Lane.Settings.Stream.LargeMessageSize;

    private void Cancel(CancellationToken cancellationToken)
    {
        if (HoldsMemory) { Lane.Post(new Leaving(this, () => Caller.TryCancel(cancellationToken))); }
        else if (Caller.TryCancel(cancellationToken)) { EndFromElsewhere(); }
    }

    private void EndFromElsewhere()
    {
        Work?.End(isSuccess: false);
        Lane.Post(new LaneAction(() =>
        {
            CancelExchange();
            EndTransfer();
            _activity?.Dispose();
        }));
    }

    private void Leave(Func<bool> tell)
    {
        if (Caller.IsDone) { return; }
        EndTransfer();
        if (_exchange is null) { Tell(); }
        else { _exchange.CancelWhenWritten(Tell); }

        void Tell()
        {
            _activity?.Dispose();
            if (tell()) { Work?.End(isSuccess: false); }
        }
    }

    private void EndTransfer()
    {
        _cancellation.Dispose();
        _way?.End();
    }

    private sealed class Leaving(ClientCall call, Func<bool> tell) : LaneWork
    {
        public override void Run() => call.Leave(tell);

        public override void Abandon() => tell();
    }
}
