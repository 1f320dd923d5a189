using System.Diagnostics;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>The registration of an observation on one channel. It owns the token, sends the requests and receives the notifications.</summary>
/// <remarks>
/// <code>
/// New ──Run──► Attached ──Leave──► Leaving (GET with Observe 1) ──answer, failure──► Gone
///                 └──last notification, channel ended, first registration failed────────┘
/// </code>
/// Created on any thread and posted to its lane. From then on only the lane uses it.
/// </remarks>
internal sealed class ObservationRegistration(ChannelHandle handle, CoapRequest request, in OptionSet options, ObservationContext context)
    : LaneWork, IMovableDeadline, ITokenOwner, IExchangeOwner, ISessionFollower
{
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    private readonly OptionSet _options = options;
    private readonly TimeSpan _before = handle.Lane.Time.GetElapsedTime(context.StartedAt);
    private readonly ObservationTrace _trace = new(handle, request.Method, context.Caller);
    private ClientExchange? _exchange;
    private ClientCall? _rest;
    private long _attachedAt;
    private CallDeadline _deadline = new();
    private State _state;

    private enum State { New, Attached, Leaving, Gone }

    public ExchangeLane Lane => handle.Lane;

    public ObservationContext Context { get; } = context;

    /// <summary>The server, and the local address at which the observation is registered.</summary>
    public ChannelKey Key { get; private set; } = handle.Key;

    public Token Token => Context.Token;

    public LaneChannel? Channel { get; private set; }

    public EchoMemory? Echoes => Channel;

    IFrameLink? ITokenOwner.Link => Channel?.Link;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    long IExchangeOwner.EndsAt => _deadline.EndsAt;

    bool IExchangeOwner.IsDone => _state == State.Gone;

    // A server that replaces each notification before its body is complete must not keep the reader waiting for the first one.
    private bool IsFirstBodyOverdue => Context.FirstBodyAt is { } at && Lane.Time.GetElapsedTime(at) >= Lane.Settings.RateWindow;

    // A response of the server is that of the last request unless it can only be a notification.
    private ClientExchange? Answered =>
        _exchange is { IsDone: false } exchange && (exchange.IsAcknowledged || !Subscription.WasActive) ? exchange : null;

    private Subscription Subscription => Context.Subscription;

    /// <summary>The time since the start of the observation.</summary>
    private TimeSpan Elapsed => _before + TimeSpan.FromTicks(Lane.Now - _attachedAt);

    /// <summary>Creates a registration. It starts when it is posted to the lane of the channel.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message.</exception>
    public static ObservationRegistration Of(ChannelHandle channel, CoapRequest request, ObservationContext context)
    {
        var options = RequestOptions.Of(request, channel.Peer);
        if (channel.Limits is not null) { channel.ThrowIfTooLarge(SizeOf(options, request, channel.IsReliable)); }
        return new ObservationRegistration(channel, request, options, context);
    }

    private static long SizeOf(in OptionSet options, CoapRequest request, bool isReliable) =>
        MessageLimits.SizeOf(options.With(new Observe(1)), request.Payload.Length, isReliable);

    public override void Run()
    {
        if (_state != State.New || Context.Connector.IsClosed) { return; }
        _state = State.Attached;
        _attachedAt = Lane.Now;
        Channel = handle.Open();
        Key = Channel.PlaceFor(Key);
        Channel.Stay(Key);
        if (Lane.Exchanges.HasToken(Token)) { Context.Token = Lane.Tokens.Next(); }
        Lane.Exchanges.Add(this);
        Lane.SessionFollowers.Add(this);
        Register();
    }

    /// <summary>Called if the lane has ended.</summary>
    public override void Abandon()
    {
        Detach();
        Context.Connector.OnLost(this, Lane.EndError());
    }

    void ILaneDeadline.OnLaneEnded() => Abandon();

    /// <summary>Sends the request with Observe 0. Looks up the channel again, because a channel without traffic may have been removed.</summary>
    public void Register()
    {
        if (_state != State.Attached) { return; }
        _exchange?.Cancel();
        Channel = handle.Open();
        Channel.AddUser(OnChannelEnded);
        if (Lane.FindTooLarge(Key, SizeOf(_options, request, Lane.IsReliable)) is { } tooLarge)
        {
            if (Subscription.WasActive) { RegistrationFailed(tooLarge); }
            else { Abort(tooLarge); }
            return;
        }
        Subscription.Registered(Lane.IsReliable, Lane.Now);
        UpdateState();
        Send(register: true);
    }

    /// <summary>The server has forgotten the registration with the earlier session, unless the registration goes out in this one.</summary>
    public void OnSessionBegun()
    {
        if (_state != State.Attached || !Subscription.Forget(Lane.Now, Lane.Random.NextDouble())) { return; }
        UpdateState(new CoapTransportException(
            $"A new session with {Key.Peer} has begun, in which the server does not know the observation."));
    }

    /// <summary>Schedules the next attempt after a failed registration. Called on the lane.</summary>
    public void RegistrationFailed(Exception error)
    {
        if (_state != State.Attached) { return; }
        Subscription.Fail(Lane.Now, Lane.Random.NextDouble());
        UpdateState(error);
    }

    /// <summary>Ends the registration. Sends Observe 1 if the server may know the registration. Called on the lane.</summary>
    public void Leave(ObservationEnd reason)
    {
        var mayBeKnown = Subscription.WasActive || _exchange?.StartedAt is not null;
        Subscription.End(reason);
        Context.Feed.End(reason);
        Lane.Unschedule(this);
        _rest?.GiveUp();
        _exchange?.Cancel();
        _exchange = null;
        var deregisters = reason != ObservationEnd.Suspended && (Context.Settings.DeregistersOnEnd || Lane.IsReliable);
        if (_state != State.Attached || !mayBeKnown || !deregisters || Lane.HasEnded)
        {
            Detach();
            return;
        }
        _state = State.Leaving;
        Channel = handle.Open();
        Send(register: false);
    }

    /// <summary>Handles a notification or a separate response with the token.</summary>
    public void Complete(CoapMessage response, in ChannelKey from)
    {
        if (_state == State.Leaving)
        {
            // A notification that crossed the request on the wire is acknowledged and ignored.
            if (!response.Options.Contains<Observe>()) { _exchange?.Complete(response); }
            return;
        }
        if (Answered is { } exchange) { exchange.Complete(response); }
        else { Take(response, NotificationOrigin.Notified, TimeSpan.Zero); }
    }

    public bool TryRepeat(Echo echo) => (_state == State.Leaving ? _exchange : Answered)?.TryRepeat(echo) == true;

    /// <summary>
    /// Handles a notification that cannot be used. The reader misses it, and the server may have removed the registration because of the
    /// Reset (RFC 7641, section 3.6), so the client registers again. The first registration fails.
    /// </summary>
    public void Fail(Exception error)
    {
        if (_state != State.Attached) { return; }
        if (!Subscription.WasActive)
        {
            Abort(error);
            return;
        }
        _exchange?.Cancel();
        _exchange = null;
        Subscription.Reject(Lane.Now, Lane.Random.NextDouble());
        UpdateState(error);
    }

    /// <summary>Ends the observation, because it cannot begin, and cancels the registration.</summary>
    private void Abort(Exception error)
    {
        if (_state != State.Attached) { return; }
        Context.Feed.End(ObservationEnd.Failed, error);
        Context.Connector.Leave(ObservationEnd.Failed);
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        if (exchange != _exchange) { return; }
        _exchange = null;
        if (_state == State.Leaving) { Detach(); }
        else
        {
            var isPiggybacked = response.Type == MessageType.Acknowledgement;
            var origin = isPiggybacked ? NotificationOrigin.Piggybacked : NotificationOrigin.AnsweredSeparately;
            Take(response, origin, TimeSpan.FromTicks(Lane.Now - (exchange.StartedAt ?? Lane.Now)));
        }
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        if (exchange != _exchange) { return; }
        _trace.Fail(error);
        if (error is CoapTimeoutException timeout && (timeout.EndsCall || timeout.IsAcknowledged) && _state == State.Attached && !Subscription.WasActive)
        {
            Lane.Metrics[LaneCounters.FailedRequests]++;
            Abort(error);    // the server may register the client late, so this cancels the registration
            return;
        }
        _exchange = null;
        if (_state == State.Leaving) { Detach(); }  // further notifications of the server are rejected with a Reset
        if (_state != State.Attached) { return; }
        Lane.Metrics[LaneCounters.FailedRequests]++;
        if (Subscription.WasActive && !Channel!.HasEnded && !Lane.HasEnded) { RegistrationFailed(error); }
        else { OnChannelEnded(error); }
    }

    private void OnChannelEnded(Exception error)
    {
        if (_state == State.Gone) { return; }
        var isLeaving = _state == State.Leaving;
        Detach();
        if (!isLeaving) { Context.Connector.OnLost(this, error); }
    }

    public void OnDeadline()
    {
        var step = Subscription.Poll(Lane.Now);
        UpdateState();
        if (step == SubscriptionStep.Register) { Register(); }
        else if (step == SubscriptionStep.Retry) { Context.Connector.Retry(this); }
        else if (step == SubscriptionStep.Probe) { Channel!.Probe(); }
    }

    /// <summary>Releases the token and removes the registration from the lane.</summary>
    public void Detach()
    {
        if (_state == State.Gone) { return; }
        _state = State.Gone;
        _trace.End();
        Lane.Unschedule(this);
        _rest?.GiveUp();
        _exchange?.Cancel();
        _exchange = null;
        Lane.Exchanges.Remove(this);
        Lane.SessionFollowers.Remove(this);
        if (Channel is null) { return; }
        Channel.RemoveUser(OnChannelEnded);
        Channel.Leave(Key);
    }

    CoapTimeoutException IExchangeOwner.Expire(ClientExchange exchange) => _deadline.Error(
        Lane, Lane.Settings, request, Key.Peer, _attachedAt, exchange.Progress);

    private void Send(bool register)
    {
        _deadline = new CallDeadline();
        // The total time limits only the first registration, neither the next ones nor the cancellation.
        if (register && !Subscription.WasActive) { _deadline.Begin(Lane, Lane.Settings, request, Elapsed); }
        else { _deadline.Touch(Lane, Lane.Settings, request); }
        var options = _options.With(new Observe(register ? 0U : 1U));
        if (request.PreferredBlockSize is { } size) { options = options.With(new Block2(0, hasMore: false, BlockSize.AtMost(size).Exponent)); }
        if (register) { _trace.Begin(options); }
        _exchange = new ClientExchange(Lane, Key, request, _trace.Carry(options, request, Channel!.Limits), request.Payload, this)
        {
            Token = Token,
            StaysAtPort = true,
        };
        _exchange.Begin(Channel!);
    }

    private void Take(CoapMessage message, NotificationOrigin origin, TimeSpan roundTrip)
    {
        if (_state != State.Attached) { return; }
        var span = _trace.Receive(_options);
        var sequence = message.Options.Get<Observe>()?.Value;
        var maxAge = MaxAge.Of(message.Options) * TimeSpan.TicksPerSecond;
        var verdict = Subscription.Receive(message.Code.IsSuccess, sequence, maxAge, origin, Lane.Now, Lane.Random.NextDouble());
        if (verdict == NotificationVerdict.Older)
        {
            CoapTracing.End(span, message.Code, Lane.Time);
            return;
        }
        if (verdict == NotificationVerdict.Newer) { UpdateState(); }    // before the notification, so that its reader sees the new state
        else { Detach(); }
        Publish(message, span, sequence, roundTrip, verdict == NotificationVerdict.Newer ? null : Subscription.EndReason);
    }

    // A notification carries only the first block. Further requests fetch the rest (RFC 7959, section 2.6). A newer notification cancels them.
    private void Publish(CoapMessage message, Activity? span, uint? sequence, TimeSpan roundTrip, ObservationEnd? last)
    {
        var elapsed = Elapsed;
        _rest?.GiveUp();
        _rest = null;
        if ((message.Options.Seen & BlockOption.OtherBits) != 0)
        {
            OnWhole(null, new CoapTransferException($"{Key.Peer} notified with a block of RFC 9177, but the request did not ask for one."));
            return;
        }
        if ((message.Options.Seen & Block2Bit) == 0)
        {
            OnWhole(ResponseOf(message, roundTrip), null);
            return;
        }
        if (last is null && !Context.Feed.HasPublished && IsFirstBodyOverdue)
        {
            CoapTracing.End(span, message.Code, Lane.Time);
            Abort(new CoapTransferException(
                $"{Key.Peer} replaced each notification before its body was complete, for {Lane.Settings.RateWindow.TotalSeconds:0.###} s "
                + "(ClientTransferSettings.RateWindow)."));
            return;
        }
        Context.FirstBodyAt ??= Lane.Time.GetTimestamp();
        _rest = new ClientCall(handle, request, _options, parked: true, message, span) { Key = Key, Ended = OnWhole };
        _rest.Run();

        void OnWhole(CoapResponse? response, Exception? error)
        {
            CoapTracing.End(span, message.Code, error, Lane.Time);
            if (response is not null) { Context.Feed.Publish(response, sequence, elapsed); }
            // If no body has ever arrived, the registration has failed. Otherwise, a server could keep the reader waiting for ever.
            else if (last is null && !Context.Feed.HasPublished && !Channel!.HasEnded) { Abort(error!); }
            else { Context.Feed.Report(Subscription.State, error); }
            if (last is { } reason) { Context.Feed.End(reason, error); }
        }
    }

    private CoapResponse ResponseOf(CoapMessage message, TimeSpan roundTrip) =>
        new(message.Code, message.Options, message.Payload) { Remote = Key.Peer, Asked = request, RoundTripTime = roundTrip };

    /// <summary>Reports the state of the subscription to the reader and schedules its next deadline.</summary>
    private void UpdateState(Exception? error = null)
    {
        Context.Feed.Report(Subscription.State, error);
        Lane.WakeAt(this, Subscription.Deadline);
    }
}
