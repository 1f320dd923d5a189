using System.Net.Sockets;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>Sends one request and waits for its response (RFC 7252, sections 4.2 and 5.2). Used on its lane only.</summary>
/// <remarks>
/// <code>
/// Asked ──Submit──► Waiting ──window──► Admitted (token, message ID)
///    ──Send──► Unacknowledged ──ACK──► Acknowledged ──response──► Done
/// </code>
/// </remarks>
/// <param name="lane">The lane of the exchange.</param>
/// <param name="key">The peer, and the local address from which the request is sent.</param>
/// <param name="request">The method and the transmission settings.</param>
/// <param name="options">All options of the message.</param>
/// <param name="payload">The payload of the message.</param>
/// <param name="owner">Receives the outcome.</param>
internal sealed class ClientExchange(
    ExchangeLane lane, in ChannelKey key, CoapRequest request, OptionSet options, ReadOnlyMemory<byte> payload, IExchangeOwner owner)
    : IMovableDeadline, IUnsettled, ITokenOwner, IAskedMessage, IWindowItem<ClientExchange>
{
    private Retransmission _retransmission;
    private CoapMessage? _message;
    private long _startedAt;
    private State _state;
    private IFrameLink? _link;
    private bool _ownsToken;
    private bool _isLarge;
    private SendProgress _progress;

    private enum State { Asked, Waiting, Admitted, Unacknowledged, Acknowledged, Done }

    /// <summary>The peer, and the local address from which the request is sent.</summary>
    public ChannelKey Key { get; private set; } = key;

    public CoapRequest Request { get; } = request;

    /// <summary>The method of the message. A stage may have replaced that of the request.</summary>
    public CoapCode Method { get; private set; } = request.Method;

    /// <summary>All options of the message, including those of the URI, but without an Echo value that a stage adds.</summary>
    public OptionSet Options { get; private set; } = options;

    public ReadOnlyMemory<byte> Payload { get; private set; } = payload;

    public TransmissionParameters Transmission { get; } = request.Transmission ?? lane.Settings.Transmission;

    public long ResponseTimeout =>
        (Request.ResponseTimeout ?? (Request.IsConfirmable ? lane.Settings.ResponseTimeout : Transmission.NonLifetime)).Ticks;

    /// <summary>Whether no response is wanted (RFC 7967). The exchange then ends when the request is sent or, if it is confirmable, acknowledged.</summary>
    public bool IsForgotten { get; init; }

    public LaneChannel? Channel { get; private set; }

    public bool IsRaw => owner.IsRaw;

    public EchoMemory? Echoes => IsRaw ? null : Channel;

    public Echo? RequestedEcho { get; private set; }

    IFrameLink? ITokenOwner.Link => Channel?.Link;

    /// <summary>
    /// The token. It is drawn when the request is admitted, unless the owner has set one, such as the token of an observation.
    /// </summary>
    public Token Token { get; set; }

    public MessageId MessageId { get; set; }

    /// <summary>The time of the first transmission; <see langword="null"/> before it.</summary>
    public long? StartedAt => _message is null ? null : _startedAt;

    /// <summary>The message that is sent; <see langword="null"/> before it is sent.</summary>
    public CoapMessage? Message => _message;

    /// <summary>Whether the request continues a transfer and may reuse message IDs: a large body can have more blocks than there are IDs.</summary>
    public bool IsFollowUp { get; init; }

    /// <summary>
    /// Whether the request is sent from the local port of its key, because earlier messages of the same call or observation were.
    /// </summary>
    public bool StaysAtPort { get; init; }

    public bool IsDone => _state == State.Done;

    /// <summary>Whether the request is acknowledged, or needs no acknowledgement, and only its response is missing.</summary>
    public bool IsAcknowledged => _state == State.Acknowledged;

    /// <summary>The progress of the exchange.</summary>
    public ExchangeProgress Progress => _message is null ? new(IsDone ? AwaitedEvent.Caller : AwaitedEvent.Turn, 0, false) : new(
        IsDone ? AwaitedEvent.Caller : lane.IsBeginning(Key) ? AwaitedEvent.Handshake : IsAcknowledged ? AwaitedEvent.Response : AwaitedEvent.Acknowledgement,
        IsRetransmitted ? _retransmission.Attempts : 1, IsAcknowledged && IsRetransmitted, Options.Get<NoResponse>());

    private bool IsRetransmitted => Request.IsConfirmable && !lane.IsReliable;

    /// <summary>Whether the request counts against NSTART (RFC 7252, section 4.7).</summary>
    public bool IsOutstanding { get; set; }

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    bool IWindowItem<ClientExchange>.IsWaiting { get; set; }
    ClientExchange? IWindowItem<ClientExchange>.Previous { get; set; }
    ClientExchange? IWindowItem<ClientExchange>.Following { get; set; }

    /// <summary>Passes the request to the stages of asking, which send it as soon as the limits of the channel allow it.</summary>
    public void Begin(LaneChannel channel)
    {
        Channel = channel;
        lane.Pass(lane.Asked, new OutgoingRequest(this, Options, Payload));
        if (_state == State.Asked) { WakeAt(long.MaxValue); }       // a stage holds the request
    }

    public void Submit(in OutgoingRequest request)
    {
        if (_state != State.Asked) { return; }      // the call has ended while a stage held the request
        (_state, Method, Options, Payload) = (State.Waiting, request.Method, request.Options, request.Payload);
        Channel!.Submit(this);
    }

    /// <summary>Gives the request its token and message ID. Called by its channel, whose limits allow it.</summary>
    /// <param name="messageId">The message ID, if the transport has message IDs.</param>
    /// <param name="link">The connection, if the transport is reliable.</param>
    public void Admit(MessageId messageId, IFrameLink? link = null)
    {
        (MessageId, _link, _state) = (messageId, link, State.Admitted);
        if (Token.IsEmpty)
        {
            Token = owner.Token ?? Request.Token ?? lane.Tokens.Next();
            _ownsToken = true;
            lane.Exchanges.Add(this);
        }
        lane.Pass(lane.Admitted, new OutgoingRequest(this, Options, Payload));
        if (_state == State.Admitted) { WakeAt(long.MaxValue); }    // a stage holds the request
    }

    /// <summary>
    /// Sends the request from another local port, which is another endpoint for the peer: an Echo value of the former one is worth nothing
    /// there.
    /// </summary>
    public void MoveTo(in PeerIdentity local) => (Key, RequestedEcho) = (Key with { Local = local }, null);

    /// <summary>Fails the exchange because the lane has ended.</summary>
    public void Abandon() => Fail(lane.EndError());

    void ILaneDeadline.OnLaneEnded() => Abandon();

    /// <summary>Ends the exchange without an outcome. Called if the caller no longer waits for the response.</summary>
    public void Cancel()
    {
        if (_state == State.Done) { return; }
        End();
        if (_message is not null && _isLarge) { Channel!.LimitSendTime(_message); }
    }

    /// <summary>Cancels the exchange, and calls back when the memory of the request is no longer in use.</summary>
    public void CancelWhenWritten(Action written)
    {
        Cancel();
        if (!_isLarge || _message is null || !Channel!.Defer(_message, written)) { written(); }
    }

    public void Send(in OutgoingRequest request)
    {
        if (_state != State.Admitted) { return; }   // the call has ended while a stage held the request
        _startedAt = lane.Now;
        var type = Request.IsConfirmable || _link is not null ? MessageType.Confirmable : MessageType.NonConfirmable;
        _message = new CoapMessage(type, request.Method, MessageId, Token, request.Options, request.Payload);
        if (_link is { } link) { SendReliable(link); }
        else { SendDatagram(); }
    }

    // Sends the request in a datagram and starts its retransmission timer.
    private void SendDatagram()
    {
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
        lane.Exchanges.AddUnsettled(this);
        lane.Requests.Emit(new OutgoingMessage(Key, _message!));
    }

    // Sends the request over a reliable transport, which retransmits by itself (RFC 8323, section 3.3).
    private void SendReliable(IFrameLink link)
    {
        if (_message!.Payload.Length >= lane.Settings.LargeMessageSize)
        {
            SendLarge(link);
            return;
        }
        AwaitResponse();
        lane.Requests.Emit(new OutgoingMessage(Key, _message) { Link = link });
    }

    public void OnDeadline()
    {
        if (lane.Now >= owner.EndsAt)
        {
            Expire();
            return;
        }
        switch (_state)
        {
            case State.Waiting:
                Channel!.Submit(this);
                break;
            case State.Asked or State.Admitted:
                WakeAt(long.MaxValue);
                break;
            case State.Unacknowledged when _retransmission.Poll(lane.Now) is var step && step != RetransmissionStep.Fail:
                if (step == RetransmissionStep.Send) { SendAgain(); }
                WakeAt(_retransmission.Deadline);
                break;
            case State.Acknowledged when IsForgotten:
                End();
                owner.OnForgotten(this);
                break;
            case State.Acknowledged when IsOutstanding && lane.Now < _startedAt + ResponseTimeout:
                // The response can still arrive, but the next request need not wait for it.
                WakeAt(_startedAt + ResponseTimeout);
                Channel!.Release(this);
                break;
            case State.Unacknowledged or State.Acknowledged:
                Fail(CallDeadline.NoAnswer(Request, Key.Peer, Progress, lane.Now - _startedAt));
                break;
        }
    }

    /// <summary>Submits the exchange to its channel again at this time, if a limit holds it back now. Default: the channel submits it.</summary>
    public void ResubmitAt(long time = long.MaxValue) => WakeAt(time);

    /// <summary>Ends the exchange because the deadline of its owner has passed, unless the peer has accepted further bytes of a large request.</summary>
    public void Expire()
    {
        if (_state == State.Done) { return; }
        if (_isLarge && _progress.Advance(Channel!.SentOf(_message!)) is > 0 and var more) { owner.Accept(more); }
        if (lane.Now < owner.EndsAt)
        {
            WakeAt(long.MaxValue);
            return;
        }
        var error = owner.Expire(this);
        CancelWhenWritten(() => owner.OnFailure(this, error));
    }

    public void OnAcknowledged()
    {
        if (_state != State.Unacknowledged) { return; }
        Channel!.Measure(_retransmission);
        AwaitResponse();
        Channel!.Release(this);
    }

    public void OnReset() => Fail(new CoapResetException(Key.Peer.ToString()));

    public void OnNetworkError(SocketError error) => Fail(new CoapTransportException(Key.Peer, new SocketException((int)error)));
    public void OnUndeliverable(CoapException error) => Fail(error);

    /// <summary>Ends the exchange with a response, which also acknowledges the request (RFC 7252, section 5.3.2).</summary>
    public void Complete(CoapMessage response, in ChannelKey from)
    {
        // A stage may have held the response to an earlier attempt.
        if (response.Token == Token) { Complete(response); }
    }

    /// <inheritdoc cref="Complete(CoapMessage, in ChannelKey)"/>
    public void Complete(CoapMessage response)
    {
        if (_state == State.Done || (_isLarge && IsDeferred(response))) { return; }
        End();
        owner.OnResponse(this, response);
    }

    public bool TryRepeat(Echo echo)
    {
        if (_state == State.Done || RequestedEcho is not null || owner.IsDone) { return false; }
        if (!Channel!.CanAdd(echo, Options, Payload.Length)) { return false; }
        RequestedEcho = echo;
        Repeat();
        return true;
    }

    public void Fail(Exception error)
    {
        if (_state == State.Done || (_isLarge && IsDeferred(error))) { return; }
        End();
        owner.OnFailure(this, error);
    }

    // The end of the first attempt releases its token. The second attempt draws a new one, unless the token is the owner's.
    private void Repeat()
    {
        if (_state == State.Done || (_isLarge && IsDeferred(Repeat))) { return; }
        End();
        (_message, _state, _isLarge, _progress) = (null, State.Waiting, false, default);
        if (_ownsToken) { Token = default; }
        Channel!.Submit(this);
    }

    // A large payload is sent from the caller's memory. Until the request is written, the wait for the response does not begin and no outcome is reported.
    private void SendLarge(IFrameLink link)
    {
        (_isLarge, _state) = (true, State.Acknowledged);
        lane.Requests.Emit(new OutgoingMessage(Key, _message!) { Link = link });
        if (_state == State.Done) { return; }
        if (Channel!.Defer(_message!, OnWritten)) { WakeAt(long.MaxValue); }
        else { AwaitResponse(); }
    }

    private void OnWritten()
    {
        if (_state == State.Done) { return; }
        owner.Accept(_progress.Advance(Payload.Length));
        AwaitResponse();
    }

    private void WakeAt(long time) => lane.WakeAt(this, Math.Min(time, owner.EndsAt));

    // Until the request is written, the connection uses the caller's memory, so no outcome is reported.
    private bool IsDeferred(CoapMessage response) => IsDeferred(() => Complete(response));

    private bool IsDeferred(Exception error) => IsDeferred(() => Fail(error));

    private bool IsDeferred(Action outcome) => _message is not null && Channel!.Defer(_message, outcome);

    private void AwaitResponse()
    {
        _state = State.Acknowledged;
        WakeAt(IsForgotten ? lane.Now : LaneTimes.Later(lane.Now, ResponseTimeout));
    }

    private void SendAgain()
    {
        lane.Metrics[LaneCounters.Retransmissions]++;
        lane.Requests.Emit(new OutgoingMessage(Key, _message!));
    }

    private void End()
    {
        lane.Unschedule(this);
        if (_state is not (State.Asked or State.Waiting or State.Done))
        {
            lane.Exchanges.Remove(this);
            lane.Exchanges.RemoveUnsettled(this);
            Channel!.Settle(Key, MessageId);
        }
        _state = State.Done;
        Channel?.Release(this);
    }
}
