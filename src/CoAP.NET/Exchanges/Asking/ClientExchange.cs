using System.Net.Sockets;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>One request of ours and the wait for its response (RFC 7252, sections 4.2 and 5.2). The lane's alone.</summary>
/// <remarks>
/// <code>
/// New ──Begin──► Waiting (NSTART, message ID) ──Start──► Unacknowledged ──ACK──► Acknowledged ──response──► Done
/// </code>
/// </remarks>
internal sealed partial class ClientExchange : ILaneDeadline, IUnsettled, ITokenOwner, IWindowItem<ClientExchange>
{
    // Header, token, and what stands before an Echo option and a payload, in whatever form.
    private const int MostOverhead = 24;

    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);

    private readonly ExchangeLane _lane;
    private readonly IExchangeOwner _owner;
    private Retransmission _retransmission;
    private CoapMessage? _message;
    private long _startedAt;
    private State _state;
    private Echo? _echo;
    private bool _drewToken;

    /// <param name="lane">Where it lives.</param>
    /// <param name="key">The peer, and the local address that the request leaves from.</param>
    /// <param name="request">Its method and how it is sent.</param>
    /// <param name="options">All options of the message.</param>
    /// <param name="payload">The payload of the message.</param>
    /// <param name="owner">Who is told.</param>
    public ClientExchange(
        ExchangeLane lane, in ChannelKey key, CoapRequest request, OptionSet options, ReadOnlyMemory<byte> payload, IExchangeOwner owner)
    {
        (_lane, Key, Request, Options, Payload, _owner) = (lane, key, request, options, payload, owner);
        Transmission = request.Transmission ?? lane.Settings.Transmission;
        ResponseTimeout = (request.ResponseTimeout ?? (request.IsConfirmable ? lane.Settings.ResponseTimeout : Transmission.NonLifetime)).Ticks;
    }

    private enum State { Waiting, Unacknowledged, Acknowledged, Done }

    public ChannelKey Key { get; set; }

    public CoapRequest Request { get; }

    /// <summary>All options of the message, those of the URI included.</summary>
    public OptionSet Options { get; }

    public ReadOnlyMemory<byte> Payload { get; }

    public TransmissionParameters Transmission { get; }

    public long ResponseTimeout { get; }

    /// <summary>Whether it ends once the request is sent, and acknowledged where it is confirmable: no response is wanted (RFC 7967).</summary>
    public bool IsForgotten { get; init; }

    public LaneChannel? Channel { get; private set; }

    IFrameLink? ITokenOwner.Link => Channel?.Link;

    /// <summary>Drawn when the request goes out, unless it is that of an observation, to which all responses with it go.</summary>
    public Token Token { get; set; }

    public MessageId MessageId { get; set; }

    /// <summary>When the request was first sent; nothing before.</summary>
    public long? StartedAt => _message is null ? null : _startedAt;

    /// <summary>Whether it goes on with a transfer: it takes an old message ID rather than wait, since a large body has more blocks than there are IDs.</summary>
    public bool IsFollowUp { get; init; }

    public bool IsDone => _state == State.Done;

    /// <summary>Whether the peer has the request, as far as we know, and only its response is missing.</summary>
    public bool IsAcknowledged => _state == State.Acknowledged;

    bool IUnsettled.ProvesAddress => Request.IsConfirmable;

    /// <summary>Whether it counts against NSTART: neither acknowledged nor answered yet (RFC 7252, section 4.7).</summary>
    public bool HasPlace { get; set; }

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    bool IWindowItem<ClientExchange>.IsWaiting { get; set; }

    ClientExchange? IWindowItem<ClientExchange>.Previous { get; set; }

    ClientExchange? IWindowItem<ClientExchange>.Following { get; set; }

    /// <summary>Sends the request as soon as the channel lets it.</summary>
    public void Begin(LaneChannel channel)
    {
        Channel = channel;
        channel.Submit(this);
    }

    /// <summary>The lane has ended.</summary>
    public void Abandon() => Fail(new CoapTransportException("The endpoint has ended."));

    /// <summary>Nobody waits for the response any more.</summary>
    public void Cancel()
    {
        if (_state == State.Done) { return; }
        End();
        if (_message is not null && _isLarge) { Channel!.Hurry(_message); }
    }

    /// <summary>The request goes out, as a datagram: draws the token and starts the retransmission.</summary>
    public void Start(MessageId messageId)
    {
        MessageId = messageId;
        StartWith(Request.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable);
        if (Request.IsConfirmable)
        {
            _retransmission = Channel!.StartTimer(Transmission);
            _state = State.Unacknowledged;
            WakeAt(_retransmission.Deadline);
        }
        else
        {
            AwaitResponse();
            if (!IsForgotten) { WakeAt(Math.Min(Deadline, _startedAt + Transmission.NonConfirmableWait.Ticks)); }
        }
        _lane.Exchanges.AddUnsettled(this);
        _lane.Requests.Emit(new OutgoingMessage(Key, _message!));
    }

    /// <summary>The request goes out over a reliable transport, which retransmits by itself (RFC 8323, section 3.3).</summary>
    public void StartReliable(IFrameLink link)
    {
        StartWith(MessageType.Confirmable);
        if (Payload.Length >= _lane.Settings.LargeMessageSize)
        {
            StartLarge(link);
            return;
        }
        AwaitResponse();
        _lane.Requests.Emit(new OutgoingMessage(Key, _message!) { Link = link });
    }

    public void OnDeadline()
    {
        switch (_state)
        {
            case State.Waiting:
                Channel!.Submit(this);
                break;
            case State.Unacknowledged when _retransmission.Poll(_lane.Now) is var step && step != RetransmissionStep.Fail:
                if (step == RetransmissionStep.Send) { SendAgain(); }
                WakeAt(_retransmission.Deadline);
                break;
            case State.Acknowledged when IsForgotten:
                End();
                _owner.OnForgotten(this);
                break;
            case State.Acknowledged when HasPlace && _lane.Now < _startedAt + ResponseTimeout:
                // The response may come still, but the next request need not wait for it.
                WakeAt(_startedAt + ResponseTimeout);
                Channel!.Release(this);
                break;
            case State.Unacknowledged or State.Acknowledged:
                FailWithTimeout();
                break;
        }
    }

    /// <summary>Has the channel submit it again at this time, because a limit holds it back.</summary>
    public void WaitUntil(long time) => WakeAt(time);

    public void OnAcknowledged()
    {
        if (_state != State.Unacknowledged) { return; }
        Channel!.Measure(_retransmission);
        AwaitResponse();
        Channel!.Release(this);
    }

    public void OnReset() => Fail(new CoapResetException(Key.Peer.ToString()));

    public void OnNetworkError(SocketError error)
    {
        var cause = new SocketException((int)error);
        Fail(new CoapTransportException($"The network did not deliver the request to {Key.Peer}: {cause.Message}.", cause));
    }

    /// <summary>The response is there: it also acknowledges whatever was not acknowledged (RFC 7252, section 5.3.2).</summary>
    public void Complete(CoapMessage response)
    {
        if (_isLarge && IsDeferred(response)) { return; }
        End();
        if ((response.Options.Seen & EchoBit) != 0 && response.Options.Get<Echo>() is { } echo && Repeats(response.Code, echo)) { return; }
        _owner.OnResponse(this, response);
    }

    public void Fail(Exception error)
    {
        if (_state == State.Done || (_isLarge && IsDeferred(error))) { return; }
        End();
        _owner.OnFailure(this, error);
    }

    private void StartWith(MessageType type)
    {
        _startedAt = _lane.Now;
        if (Token.IsEmpty)
        {
            Token = Request.Token ?? _lane.Tokens.Next();
            _drewToken = true;
            _lane.Exchanges.Add(this);
        }
        _message = new CoapMessage
        {
            Type = type,
            Code = Request.Method,
            MessageId = MessageId,
            Token = Token,
            Options = WithEcho(_echo ?? Channel!.Echo),
            Payload = Payload,
        };
    }

    private OptionSet WithEcho(Echo? echo) => echo is not null && CanCarry(echo) ? Options.With(echo) : Options;

    // Whoever says an Echo value of his own sees to the rest himself; and one that does not fit must not stop the request.
    private bool CanCarry(Echo echo) => !Options.Contains<Echo>()
        && MostOverhead + Options.Wire.Length + echo.Value.Length + Payload.Length <= (Channel!.Limits?.MaxSize ?? (int)MaxMessageSize.Default);

    /// <summary>Remembers the value, and sends the request again with it if the peer wants to see it first: once (RFC 9175, section 2.3).</summary>
    private bool Repeats(CoapCode code, Echo echo)
    {
        Channel!.Remember(echo);
        if (code != ResponseCode.Unauthorized || _echo is not null || _owner.IsDone || !CanCarry(echo)) { return false; }
        (_echo, _message, _state) = (echo, null, State.Waiting);
        // The end of the first attempt gave the token back, so that the second one draws its own; unless it is that of an observation.
        if (_drewToken) { Token = default; }
        Channel.Submit(this);
        return true;
    }

    private void AwaitResponse()
    {
        _state = State.Acknowledged;
        WakeAt(IsForgotten ? _lane.Now : _lane.Now + ResponseTimeout);
    }

    private void SendAgain()
    {
        _lane.Metrics.Retransmissions++;
        _lane.Requests.Emit(new OutgoingMessage(Key, _message!));
    }

    private void FailWithTimeout()
    {
        var isRetransmitted = Request.IsConfirmable && !_lane.IsReliable;
        var acknowledged = _state == State.Acknowledged && isRetransmitted;
        var attempts = isRetransmitted ? _retransmission.Attempts : 1;
        Fail(new CoapTimeoutException(Key.Peer.ToString(), attempts, TimeSpan.FromTicks(_lane.Now - _startedAt), acknowledged, Options.Get<NoResponse>()));
    }

    private void WakeAt(long time)
    {
        Deadline = time;
        _lane.Schedule(this);
    }

    private void End()
    {
        _lane.Unschedule(this);
        if (_message is not null)
        {
            _lane.Exchanges.Remove(this);
            _lane.Exchanges.RemoveUnsettled(this);
            Channel!.Settle(MessageId);
        }
        _state = State.Done;
        Channel?.Release(this);
    }
}
