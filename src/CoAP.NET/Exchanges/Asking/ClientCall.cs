using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>One call of a user: the caller who waits, and the exchanges that bring the response.</summary>
/// <remarks>
/// The caller's thread creates the call and hands it to the lane through the inbox. From then on it belongs to the lane; only cancellation and
/// <see cref="FailByCaller"/> come from other threads. A small request with a small response is one exchange; anything else is a <see cref="IBodyTransfer"/>.
/// </remarks>
internal sealed class ClientCall : LaneWork, IExchangeOwner
{
    private readonly ChannelHandle _channel;
    private readonly Activity? _activity;
    private CancellationTokenRegistration _cancellation;
    private IBodyTransfers _transfers;
    private IBodyTransfer? _transfer;
    private ClientExchange? _exchange;
    private long? _startedAt;

    /// <param name="channel">The channel that the request takes.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">All options of the request, including those of the URI.</param>
    /// <param name="parked">Whether the caller blocks a thread.</param>
    public ClientCall(ChannelHandle channel, CoapRequest request, in OptionSet options, bool parked)
    {
        (_channel, Request, Options, _transfers) = (channel, request, options, channel.Lane.Transfers);
        Caller = new PendingResponse(parked);
        if (request.Body is not null || request.ResponseBody is not null || request.Progress is not null) { Work = new CallerWork(this, request.Progress); }
        _activity = CoapTracing.IsWanted ? CoapTracing.StartClient(request, channel.Peer) : null;
    }

    public ExchangeLane Lane => _channel.Lane;

    public ChannelKey Key => _channel.Key;

    public PeerIdentity Peer => Key.Peer;

    public CoapRequest Request { get; }

    /// <summary>All options of the request, including those of the URI.</summary>
    public OptionSet Options { get; }

    public PendingResponse Caller { get; }

    /// <summary>Whether no response is wanted (RFC 7967).</summary>
    public bool IsForgotten { get; init; }

    /// <summary>What the caller does in the meantime; <see langword="null"/> if there is nothing to do.</summary>
    public CallerWork? Work { get; }

    public bool IsDone => Caller.IsDone;

    /// <summary>The first response, if it has already arrived: only the rest of its body is fetched (RFC 7959, section 2.6).</summary>
    public CoapMessage? First { get; init; }

    /// <summary>Called on the lane with the response or the failure.</summary>
    public Action<CoapResponse?, Exception?>? Ended { get; init; }

    /// <summary>The limits of the peer, as soon as they are known.</summary>
    public MessageLimits? Limits { get; private set; }

    public CallPlan Plan { get; private set; }

    /// <summary>Decides how the request is sent to a peer with these limits. Called by the caller's thread.</summary>
    /// <exception cref="ArgumentException">The request cannot be sent.</exception>
    public void PlanFor(in MessageLimits limits) => (Plan, Limits) = (_transfers.Plan(Request, Options, limits), limits);

    public override void Run()
    {
        if (!Caller.IsDone && (Limits is not null || TryPlan())) { RunWith(_transfers); }
    }

    /// <summary>Sends the request whole, or begins the transfer that it needs.</summary>
    public void RunWith(IBodyTransfers transfers)
    {
        (_transfers, _transfer) = (transfers, null);
        try { _transfer = transfers.ForRequest(this); }
        catch (InvalidOperationException exception)
        {
            Fail(exception);
            return;
        }
        if (_transfer is null) { Send(Options, Request.Payload); }
        else if (IsForgotten)
        {
            Fail(new ArgumentException("A body that is sent in blocks needs the responses to them. Send the request and wait (RFC 7959, section 2.9.1)."));
        }
        else if (First is { } first) { _transfer.OnResponse(first); }
        else { _transfer.Start(); }
    }

    public override void Abandon() => Fail(new CoapTransportException("The endpoint has ended."));

    /// <summary>Blocks the calling thread until the outcome is known.</summary>
    public CoapResponse Park()
    {
        Work?.Serve();
        return Caller.Park();
    }

    /// <summary>Waits for the outcome without holding a thread.</summary>
    public async ValueTask<CoapResponse> WaitAsync()
    {
        if (Work is { } work) { await work.ServeAsync().ConfigureAwait(false); }
        return await Caller.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the wait when the token fires, and has the lane clean up.</summary>
    public void CancelOn(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) { return; }
        _cancellation = cancellationToken.UnsafeRegister(static (call, token) => ((ClientCall)call!).Cancel(token), this);
        if (Caller.IsDone) { _cancellation.Dispose(); }
    }

    /// <summary>Returns the channel. Called on the lane.</summary>
    public LaneChannel OpenChannel() => _channel.Open();

    /// <summary>Marks the start of the call, if a transfer sends the first message by itself.</summary>
    public void Started() => _startedAt ??= Lane.Now;

    /// <summary>Sends the next message of the call.</summary>
    public void Send(OptionSet options, ReadOnlyMemory<byte> payload)
    {
        _exchange = new ClientExchange(Lane, Key, Request, options, payload, this) { IsForgotten = IsForgotten, IsFollowUp = _startedAt is not null };
        Started();
        _exchange.Begin(_channel.Open());
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        if (!Caller.IsDone) { Receive(_transfers, response); }
    }

    /// <summary>Receives a response to the whole request, or to one of its blocks.</summary>
    public void Receive(IBodyTransfers transfers, CoapMessage response)
    {
        if (!ReferenceEquals(_transfers, transfers)) { (_transfers, _transfer) = (transfers, null); }
        try { _transfer ??= IsForgotten ? null : transfers.ForResponse(this, response); }
        catch (CoapTransferException exception)
        {
            Fail(exception);
            return;
        }
        if (_transfer is null) { Complete(response.Code, response.Options, response.Payload); }
        else { _transfer.OnResponse(response); }
    }

    public void OnForgotten(ClientExchange exchange)
    {
        EndTransfer();
        _activity?.Dispose();
        if (Caller.TryComplete(Forgotten.NoResponse)) { Work?.End(isSuccess: true); }
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        if (_transfer is { } transfer && !Caller.IsDone) { transfer.OnFailure(error); }
        else { Fail(error); }
    }

    public void CancelExchange() => _exchange?.Cancel();

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
            FollowsBlocks = _transfer is { HasSentBlocks: true },
        };
        if (!Caller.TryHold(response)) { return; }
        Lane.TellLater(Caller);
        Work?.End(isSuccess: true);
        Ended?.Invoke(response, null);
    }

    /// <summary>Ends the call without an outcome: nobody waits any more.</summary>
    public void GiveUp()
    {
        if (!Caller.TryCancel(default)) { return; }
        CancelExchange();
        EndTransfer();
        _activity?.Dispose();
    }

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

    /// <summary>Fails the call from the caller's own thread.</summary>
    public void FailByCaller(Exception error)
    {
        if (HoldsMemory) { Lane.Post(new Leaving(this, () => Caller.TryFail(error))); }
        else if (Caller.TryFail(error)) { EndFromElsewhere(); }
    }

    // A large payload is not copied: its owner may have it back only when the lane no longer needs it.
    private bool HoldsMemory => Lane.IsReliable && Request.Payload.Length >= Lane.Settings.LargeMessageSize;

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
        _transfer?.End();
    }

    // The first message of a peer says what its connection takes. A request that fits anyway need not wait for it.
    private bool TryPlan()
    {
        var channel = _channel.Open();
        if (channel.Limits is not { } limits)
        {
            channel.AwaitLimits(this);
            return false;
        }
        try
        {
            PlanFor(limits);
            return true;
        }
        catch (ArgumentException exception)
        {
            Fail(exception);
            return false;
        }
    }

    // The end of a call whose memory the connection still sends from.
    private sealed class Leaving(ClientCall call, Func<bool> tell) : LaneWork
    {
        public override void Run() => call.Leave(tell);

        public override void Abandon() => tell();
    }
}
