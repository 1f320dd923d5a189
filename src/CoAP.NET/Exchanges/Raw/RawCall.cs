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
        raw.Begin(call.Cancel);
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
        _channel = handle.Open();
        Key = _channel.PlaceFor(Key);
        if (_options.Get<Observe>() is { Value: 0 }) { BeginObservation(); }
        (_startedAt, var isForgotten) = (Lane.Now, _options.Get<NoResponse>() is { SuppressesAll: true });
        _deadline.Begin(Lane, Lane.Settings, Request, TimeSpan.Zero);
        Send(_options, isForgotten);
    }

    public override void Abandon() => End(Lane.EndError());

    // An observation has no end, but the lane tells only those that have a deadline when it ends.
    public void OnDeadline() => Lane.WakeAt(this, Lane.After(Rest));

    void ILaneDeadline.OnLaneEnded() => Abandon();

    /// <summary>Ends the wait for responses. The raw exchange hears nothing more.</summary>
    public void Cancel()
    {
        if (_state is State.Leaving or State.Gone) { return; }
        var mayBeKnown = _isObservation && (_state == State.Observing || _exchange?.StartedAt is not null);
        _exchange?.Cancel();
        _exchange = null;
        if (!mayBeKnown || Lane.HasEnded || _channel is not { HasEnded: false })
        {
            Detach();
            return;
        }
        _state = State.Leaving;
        _deadline = new CallDeadline();
        _deadline.Touch(Lane, Lane.Settings, Request);
        Send(_options.Without(Observe.Declaration.Number).With(new Observe(1)), isForgotten: false);
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
        else { End(error); }
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
        raw.OnForgotten();
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        if (exchange == _exchange) { End(error); }
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
        do { Token = Request.Token ?? Lane.Tokens.Next(); }
        while (Request.Token is null && Lane.Exchanges.HasToken(Token));
        Lane.Exchanges.Add(this);
        Lane.SessionFollowers.Add(this);
        OnDeadline();
        _channel!.Stay(Key);
        _channel.AddUser(OnChannelEnded);
    }

    private void Send(in OptionSet options, bool isForgotten)
    {
        _exchange = new ClientExchange(Lane, Key, Request, options, Request.Payload, this)
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
        raw.OnResponse(response, isLast);
    }

    private void OnChannelEnded(Exception error) => End(error);

    private void End(Exception error)
    {
        if (_state == State.Gone) { return; }
        var isAwaited = _state != State.Leaving;
        Detach();
        if (isAwaited) { raw.OnFailure(error); }
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
