using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>One call of a user: connects the waiting caller with the exchanges that get the response.</summary>
/// <remarks>
/// The caller's thread creates the call and posts it to the inbox of the lane. From then on, only the lane uses it, except that cancellation and
/// <see cref="FailByCaller"/> come from other threads. A small request with a small response is one exchange. Larger bodies use an <see cref="IBodyTransfer"/>.
/// </remarks>
internal sealed class ClientCall : LaneWork, IExchangeOwner
{
    private const long NotStarted = -1;
    private readonly ChannelHandle _channel;
    private CallTelemetry _telemetry;
    private CancellationTokenRegistration _cancellation;
    private IBodyTransfers _transfers;
    private IBodyTransfer? _transfer;
    private ClientExchange? _exchange;
    private LaneChannel? _stay;
    private CallDeadline _deadline = new();
    private long _startedAt = NotStarted;

    /// <param name="channel">The channel over which the request is sent.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">All options of the request, including those of the URI.</param>
    /// <param name="parked">Whether the caller blocks its thread while it waits.</param>
    /// <param name="first">See <see cref="First"/>.</param>
    /// <param name="span">The span of the first response. The call ends it.</param>
    public ClientCall(ChannelHandle channel, CoapRequest request, in OptionSet options, bool parked, CoapMessage? first = null, Activity? span = null)
    {
        (_channel, Key, Request, First, _transfers) = (channel, channel.Key, request, first, channel.Lane.Transfers);
        Caller = new PendingResponse(parked, channel.Lane.Runtime);
        if (request.Body is not null || request.ResponseBody is not null || request.Progress is not null) { Work = new CallerWork(this, request.Progress); }
        _telemetry = first is null ? new(request.Method, channel.Key, options, channel.Spans, Lane.Time) : new(span);
        Options = _telemetry.Carry(options, Lane.Settings.Telemetry);
    }

    public ExchangeLane Lane => _channel.Lane;
    /// <summary>The peer, and the local address that all messages of the call are sent from.</summary>
    public ChannelKey Key { get; set; }
    public PeerIdentity Peer => Key.Peer;
    private TimeSpan Elapsed => TimeSpan.FromTicks(_startedAt == NotStarted ? 0 : Lane.Now - _startedAt);     // since the first transmission
    private CallFacts Facts => new(Request.Method, Key.Peer, _channel.Spans, Elapsed, First?.Code);
    public Token? Token { get; set; }
    public CoapRequest Request { get; }
    public PendingResponse Caller { get; }
    /// <summary>All options of the request, including those of the URI.</summary>
    public OptionSet Options { get; private set; }

    /// <summary>Whether no response is wanted (RFC 7967).</summary>
    public bool IsForgotten { get; init; }

    /// <summary>The work of the caller while it waits; <see langword="null"/> if there is none.</summary>
    public CallerWork? Work { get; }

    public bool IsDone => Caller.IsDone;
    public long EndsAt => _deadline.EndsAt;

    /// <summary>The first response, if it has already arrived: only the rest of its body is fetched (RFC 7959, section 2.6).</summary>
    public CoapMessage? First { get; }

    /// <summary>Called on the lane with the response or the failure.</summary>
    public Action<CoapResponse?, Exception?>? Ended { get; init; }

    /// <summary>The limits of the peer; <see langword="null"/> until they are known.</summary>
    public MessageLimits? Limits { get; private set; }
    public CallPlan Plan { get; private set; }

    /// <summary>Decides how the request is sent to a peer with these limits. Called by the caller's thread.</summary>
    /// <exception cref="ArgumentException">The request cannot be sent.</exception>
    public void PlanFor(in MessageLimits limits)
    {
        Options = CoapTracing.Fit(Options, Request, limits, Lane.Settings.Telemetry);
        (Plan, Limits) = (_transfers.Plan(Request, Options, limits), limits);
    }

    public override void Run()
    {
        if (Caller.IsDone) { return; }
        // The total time of an observation limits its registration. It does not apply to the remaining blocks of a notification.
        if (First is not null) { _deadline.Touch(Lane, Lane.Settings, Request); }
        else if (!_deadline.HasBegun) { _deadline.Begin(Lane, Lane.Settings, Request, TimeSpan.Zero); }
        if (Limits is null || Work is not null) { _deadline.StartTimer(Lane, OnTimeOver); }
        if (Limits is not null || TryPlan()) { RunWith(_transfers); }
    }

    /// <summary>Sends the request in one message, or starts the transfer that it needs.</summary>
    public void RunWith(IBodyTransfers transfers)
    {
        (_transfers, _transfer) = (transfers, null);
        if (First is null && _startedAt == NotStarted) { Key = _channel.Open().PlaceFor(Key); }
        try { _transfer = transfers.ForRequest(this); }
        catch (InvalidOperationException exception)
        {
            Fail(exception);
            return;
        }
        if (_transfer is not null) { Stay(); }
        if (_transfer is null) { Send(Options, Request.Payload); }
        else if (IsForgotten)
        {
            Fail(new ArgumentException(
                "A body in blocks cannot be sent without waiting for the responses to its blocks (RFC 7959, section 2.9.1). Use Send or SendAsync."));
        }
        else if (First is { } first) { _transfer.OnResponse(first); }
        else { _transfer.Start(); }
    }

    public override void Abandon() => Fail(Lane.EndError());

    /// <summary>Blocks the calling thread until the outcome is known.</summary>
    public CoapResponse Park()
    {
        Work?.Serve();
        return Caller.Park();
    }

    /// <summary>Waits for the outcome without holding a thread.</summary>
    public ValueTask<CoapResponse> WaitAsync() => Work is { } work ? ServeAsync(work) : new(Caller.Task);

    private async ValueTask<CoapResponse> ServeAsync(CallerWork work)
    {
        await work.ServeAsync().ConfigureAwait(false);
        return await Caller.Task.ConfigureAwait(false);
    }

    /// <summary>Cancels the call when the token is canceled.</summary>
    public void CancelOn(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) { return; }
        _cancellation = cancellationToken.UnsafeRegister(static (call, token) => ((ClientCall)call!).Cancel(token), this);
        if (Caller.IsDone) { _cancellation.Dispose(); }
    }

    /// <summary>Returns the channel. Called on the lane.</summary>
    public LaneChannel OpenChannel() => _channel.Open();

    /// <summary>Records the start of the call. Called by transfers that send the first message themselves.</summary>
    public void Started() => _startedAt = _startedAt == NotStarted ? Lane.Now : _startedAt;

    /// <summary>Records that further bytes of a body were accepted.</summary>
    public void Accept(long bytes) => _deadline.Accept(Lane, Lane.Settings, Request, bytes);

    /// <summary>Records that the call continues after it has waited for a task of its caller. This wait does not count against its deadlines.</summary>
    public void Resume()
    {
        if (_exchange is not { IsDone: false }) { _deadline.Resume(Lane, Lane.Settings, Request); }
    }

    public CoapTimeoutException Expire(ClientExchange? exchange) => _deadline.Error(Lane, Lane.Settings, Request, Key.Peer, _startedAt,
        exchange?.Progress ?? ExchangeProgress.OfNone(Request, hasLimits: Limits is not null, hasStarted: _startedAt != NotStarted));

    /// <summary>Sends the next message of the call.</summary>
    public void Send(OptionSet options, ReadOnlyMemory<byte> payload)
    {
        _exchange = new ClientExchange(Lane, Key, Request, options, payload, this)
        {
            IsForgotten = IsForgotten,
            IsFollowUp = _startedAt != NotStarted,
            StaysAtPort = _transfer is not null || _startedAt != NotStarted,
        };
        Started();
        _exchange.Begin(_channel.Open());
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        if (Caller.IsDone) { return; }
        Key = exchange.Key;
        Receive(_transfers, response);
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
        if (_transfer is null)
        {
            Complete(response.Code, response.Options, response.Payload);
            return;
        }
        Stay();
        _transfer.OnResponse(response);
    }

    public void OnForgotten(ClientExchange exchange)
    {
        EndTransfer();
        _telemetry.Stop(Lane.Time);
        if (Caller.TryComplete(NoResponseOutcome.NoResponse)) { Work?.End(isSuccess: true); }
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
        if (_telemetry.IsWanted) { _telemetry.Complete(Facts, code, Lane.Time); }
        var response = new CoapResponse(code, options, payload)
        {
            Remote = Key.Peer,
            Asked = Request,
            RoundTripTime = Elapsed,
            FollowsBlocks = _transfer is { HasSentBlocks: true },
        };
        if (!Caller.TryHold(response)) { return; }
        Lane.TellLater(Caller);
        Work?.End(isSuccess: true);
        Ended?.Invoke(response, null);
    }

    /// <summary>Ends the call without an outcome. Called if the caller no longer waits for one.</summary>
    public void GiveUp()
    {
        if (Caller.TryCancel(default)) { Release(); }
    }

    public void Fail(Exception error)
    {
        if (Caller.IsDone) { return; }
        EndTransfer();
        Lane.Metrics[LaneCounters.FailedRequests]++;
        if (_telemetry.IsWanted) { _telemetry.Fail(Facts, error, Lane.Time); }
        if (!Caller.TryFail(error)) { return; }
        Work?.End(isSuccess: false);
        Ended?.Invoke(null, error);
    }

    /// <summary>Fails the call from the caller's own thread.</summary>
    public void FailByCaller(Exception error) => EndByCaller(() => Caller.TryFail(error), error);
    private void Cancel(CancellationToken cancellationToken) => EndByCaller(() => Caller.TryCancel(cancellationToken));

    private void EndByCaller(Func<bool> tell, Exception? error = null)
    {
        // A large payload is not copied, so the call must not return to the caller before the lane has stopped using it.
        if (Lane.IsReliable && Request.Payload.Length >= Lane.Settings.LargeMessageSize)
        {
            Lane.Post(new LaneAction(() => Leave(tell, error), () => tell()));
        }
        else if (tell())
        {
            Work?.End(isSuccess: false);
            Lane.Post(new LaneAction(() => Release(error)));
        }
    }

    private void Release(Exception? error = null)
    {
        if (_telemetry.IsWanted) { _telemetry.Fail(Facts, error, Lane.Time); }
        CancelExchange();
        EndTransfer();
    }

    // Ends a call while the connection may still be sending from the caller's memory.
    private void Leave(Func<bool> tell, Exception? error)
    {
        if (Caller.IsDone) { return; }
        EndTransfer();
        if (_exchange is null) { Tell(); }
        else { _exchange.CancelWhenWritten(Tell); }

        void Tell()
        {
            if (_telemetry.IsWanted) { _telemetry.Fail(Facts, error, Lane.Time); }
            if (tell()) { Work?.End(isSuccess: false); }
        }
    }

    private void EndTransfer()
    {
        _cancellation.Dispose();
        _deadline.StopTimer();
        _transfer?.End();
        _stay?.Leave(Key);
        _stay = null;
    }

    // The caller's stream may pause between two blocks for longer than a port rests.
    private void Stay()
    {
        if (_stay is not null) { return; }
        _stay = _channel.Open();
        _stay.Stay(Key);
    }

    private void OnTimeOver()
    {
        if (_exchange is not { IsDone: false }) { OnFailure(_exchange!, Expire(_exchange)); }
        else { _exchange.Expire(); }
    }

    // The limits of a connection are known once the first message of the peer has arrived. A request that fits in any case need not wait for it.
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
}
