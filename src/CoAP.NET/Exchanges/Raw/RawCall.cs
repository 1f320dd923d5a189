using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Sends the request of a raw exchange and passes on its responses. Used on the lane only.</summary>
/// <remarks>
/// <code>
/// New ──Run──► Asking ──response──► Gone
///                 └──notification──► Observing ──last notification, failure──► Gone
///                                        └──Cancel──► Leaving (Observe 1) ──response, failure──► Gone
/// </code>
/// </remarks>
/// <param name="handle">The channel.</param>
/// <param name="raw">The exchange.</param>
internal sealed class RawCall(ChannelHandle handle, RawExchange raw)
    : LaneWork, IMovableDeadline, IExchangeOwner, ITokenOwner, ISessionFollower
{
    private static readonly TimeSpan Rest = TimeSpan.FromDays(1);

    private OptionSet _options;
    private ReadOnlyMemory<byte> _payload;
    private LaneChannel? _channel;
    private ClientExchange? _exchange;
    private CallDeadline _deadline = new();
    private long _startedAt = -1;
    private bool _isObservation;
    private State _state;

    private enum State { New, Asking, Observing, Leaving, Gone }

    public ChannelKey Key { get; private set; } = handle.Key;

    /// <summary>The token of an observation. Other requests draw theirs when they are sent.</summary>
    public Token Token { get; private set; }

    IFrameLink? ITokenOwner.Link => _channel?.Link;

    public bool IsRaw => true;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    bool IExchangeOwner.IsDone => _state == State.Gone;

    long IExchangeOwner.EndsAt => _deadline.EndsAt;

    private ExchangeLane Lane => handle.Lane;

    private CoapRequest Request => raw.Request;

    /// <exception cref="InvalidOperationException">The request has been sent before.</exception>
    public static RawCall Of(ChannelHandle channel, RawExchange raw)
    {
        var call = new RawCall(channel, raw);
        raw.Begin(call.CancelOnLane);
        return call;
    }

    public override void Run()
    {
        if (_state != State.New) { return; }
        _state = State.Asking;
        try { _options = RequestOptions.Of(Request, handle.Peer); }
        catch (Exception exception) when (exception is ArgumentException or FormatException)
        {
            End(exception);
            return;
        }
        var size = MessageLimits.SizeOf(_options, Request.Payload.Length, Lane.IsReliable);
        if (Lane.FindTooLarge(Key, size) is { } tooLarge)
        {
            End(tooLarge);
            return;
        }
        // A connection sends a large payload from its memory, which may still be in use after a cancellation.
        var isLarge = Lane.IsReliable && Request.Payload.Length >= Lane.Settings.LargeMessageSize;
        _payload = isLarge ? Request.Payload.ToArray() : Request.Payload;
        _channel = handle.Open();
        Key = _channel.PlaceFor(Key);
        var isForgotten = _options.Get<NoResponse>() is { SuppressesAll: true };
        if (!isForgotten && _options.Get<Observe>() is { Value: 0 }) { BeginObservation(); }
        _startedAt = Lane.Now;
        _deadline.Begin(Lane, Lane.Settings, Request, TimeSpan.Zero);
        Send(_options, isForgotten);
    }

    public override void Abandon() => End(Lane.EndError());

    // An observation has no end, but the lane tells only those that have a deadline when it ends.
    public void OnDeadline() => Lane.WakeAt(this, Lane.After(Rest));

    void ILaneDeadline.OnLaneEnded() => Abandon();

    /// <summary>Ends the wait for responses. The raw exchange hears nothing more.</summary>
    private void CancelOnLane()
    {
        if (!Lane.IsOwnedByCaller && !Lane.HasEnded)
        {
            throw new InvalidOperationException("Cancel must be called on the lane. Use ILane.Post to run it there.");
        }
        if (_state is State.Leaving or State.Gone) { return; }
        if (_state == State.Observing || _exchange?.StartedAt is not null) { Leave(); }
        else { Detach(); }
    }

    /// <summary>Takes a response with the token of an observation.</summary>
    public void Complete(CoapMessage response, in ChannelKey from)
    {
        // A notification may cross the cancellation on the wire.
        if (_state == State.Leaving && response.Options.Contains<Observe>()) { return; }
        if (_exchange is { IsDone: false } exchange) { exchange.Complete(response); }
        else { Take(response); }
    }

    public void Fail(Exception error)
    {
        if (_exchange is { IsDone: false } exchange) { exchange.Fail(error); }
        else { End(error, mayBeKnown: true); }
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        if (exchange != _exchange) { return; }
        _exchange = null;
        if (_state == State.Leaving) { Detach(); }
        else { Take(response); }
    }

    public void OnForgotten(ClientExchange exchange)
    {
        if (exchange != _exchange) { return; }
        Detach();
        Tell(static exchange => exchange.OnForgotten());
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        // A server that may have received the request registers this endpoint late.
        if (exchange != _exchange) { return; }
        End(error, mayBeKnown: error is CoapTimeoutException { EndsCall: true } or CoapTimeoutException { IsAcknowledged: true });
    }

    /// <summary>The server has forgotten the observation with the earlier session.</summary>
    public void OnSessionBegun()
    {
        if (_state == State.Observing)
        {
            End(new CoapTransportException($"A new session with {Key.Peer} has begun, in which the server does not know the observation."));
        }
    }

    CoapTimeoutException IExchangeOwner.Expire(ClientExchange exchange) =>
        _deadline.Error(Lane, Lane.Settings, Request, Key.Peer, _startedAt, exchange.Progress);

    private void BeginObservation()
    {
        _isObservation = true;
        do { Token = Lane.Tokens.Next(); }
        while (Lane.Exchanges.HasToken(Token));
        Lane.Exchanges.Add(this);
        Lane.SessionFollowers.Add(this);
        OnDeadline();
        _channel!.Stay(Key);
        _channel.AddUser(OnChannelEnded);
    }

    private void Send(in OptionSet options, bool isForgotten)
    {
        _exchange = new ClientExchange(Lane, Key, Request, options, _payload, this)
        {
            Token = Token,
            IsForgotten = isForgotten,
            StaysAtPort = _isObservation,
        };
        _exchange.Begin(_channel!);
    }

    private void Take(CoapMessage response)
    {
        if (_state is State.Leaving or State.Gone) { return; }
        var isLast = !_isObservation || !response.Code.IsSuccess || !response.Options.Contains<Observe>();
        if (isLast) { Detach(); }
        else { _state = State.Observing; }
        if (Tell(exchange => exchange.OnResponse(response, isLast)) is { } exception && !isLast)
        {
            var text = $"{raw.GetType().Name} failed on a response of {Key.Peer}: {exception.Message}";
            End(new CoapTransportException(text, exception), mayBeKnown: true);
        }
    }

    private void OnChannelEnded(Exception error) => End(error);

    private void End(Exception error, bool mayBeKnown = false)
    {
        if (_state == State.Gone) { return; }
        var isAwaited = _state != State.Leaving;
        if (isAwaited && mayBeKnown) { Leave(); }
        else { Detach(); }
        if (isAwaited) { Tell(exchange => exchange.OnFailure(error)); }
    }

    // Runs code of the user, and returns its exception. The loops of the lane that lead here serve others, too.
    private Exception? Tell(Action<RawExchange> code)
    {
        try
        {
            code(raw);
            return null;
        }
        catch (Exception exception)
        {
            Lane.Log.LaneWorkFailed(exception, raw.GetType());
            return exception;
        }
    }

    // Tells the server that an observation has ended. On a connection, there is no Reset for its notifications (RFC 8323, appendix A.4).
    private void Leave()
    {
        _exchange?.Cancel();
        _exchange = null;
        if (!_isObservation || Lane.HasEnded || _channel!.HasEnded)
        {
            Detach();
            return;
        }
        _state = State.Leaving;
        _channel = handle.Open();       // a channel without requests may have been removed
        _deadline = new CallDeadline();
        _deadline.Touch(Lane, Lane.Settings, Request);
        Send(_options.Without(Observe.Declaration.Number).With(new Observe(1)), isForgotten: false);
    }

    private void Detach()
    {
        _state = State.Gone;
        _exchange?.Cancel();
        _exchange = null;
        if (!_isObservation) { return; }
        Lane.Exchanges.Remove(this);
        Lane.SessionFollowers.Remove(this);
        Lane.Unschedule(this);
        _channel!.RemoveUser(OnChannelEnded);
        _channel.Leave(Key);
    }
}
