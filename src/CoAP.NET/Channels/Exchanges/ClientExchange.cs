using System.Diagnostics;
using System.Net.Sockets;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Channels;

/// <summary>One request of ours and the wait for its response (RFC 7252, sections 4.2 and 5.2).</summary>
/// <remarks>
/// Made by the caller's thread, handed to the lane through its inbox, from then on the lane's alone; only <see cref="Cancel"/> comes from elsewhere.
/// <code>
/// New ──Submit──► Waiting (NSTART, message ID) ──Start──► Unacknowledged ──ACK──► Acknowledged ──response──► Done
/// </code>
/// </remarks>
internal sealed class ClientExchange : LaneWork, ILaneDeadline, IUnsettled, IWindowItem<ClientExchange>
{
    private readonly LaneContext _lane;
    private readonly PendingResponse _caller;
    private readonly Func<LaneContext, ClientExchange, LaneChannel> _open;
    private readonly Activity? _activity;
    private CancellationTokenRegistration _cancellation;
    private Retransmission _retransmission;
    private CoapMessage? _message;
    private long _startedAt;
    private State _state;

    public ClientExchange(
        LaneContext lane, in ChannelKey key, CoapRequest request, OptionSet options, bool parked, Func<LaneContext, ClientExchange, LaneChannel> open)
    {
        (_lane, Key, Request, Options, _open) = (lane, key, request, options, open);
        _caller = new PendingResponse(parked);
        Transmission = request.Transmission ?? lane.Settings.Transmission;
        ResponseTimeout = (request.ResponseTimeout ?? (request.IsConfirmable ? lane.Settings.ResponseTimeout : Transmission.NonLifetime)).Ticks;
        _activity = CoapTracing.IsWanted ? CoapTracing.StartClient(request, key.Peer) : null;
    }

    private enum State { Waiting, Unacknowledged, Acknowledged, Done }

    public ChannelKey Key { get; set; }

    public CoapRequest Request { get; }

    /// <summary>All options of the request, those of the URI included.</summary>
    public OptionSet Options { get; }

    public TransmissionParameters Transmission { get; }

    public long ResponseTimeout { get; }

    public LaneChannel? Channel { get; private set; }

    public Token Token { get; private set; }

    public MessageId MessageId { get; set; }

    public bool IsDone => _state == State.Done;

    /// <summary>Whether it counts against NSTART: neither acknowledged nor answered yet (RFC 7252, section 4.7).</summary>
    public bool HasPlace { get; set; }

    public PendingResponse Caller => _caller;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    bool IWindowItem<ClientExchange>.IsWaiting { get; set; }

    ClientExchange? IWindowItem<ClientExchange>.Previous { get; set; }

    ClientExchange? IWindowItem<ClientExchange>.Following { get; set; }

    public override void Run()
    {
        if (_caller.IsDone)
        {
            _state = State.Done;
            return;
        }
        Channel = _open(_lane, this);
        Channel.Submit(this);
    }

    public override void Abandon() => Fail(new CoapTransportException("The endpoint has ended."));

    /// <summary>Ends the wait when the token fires, and has the lane clean up.</summary>
    public void CancelOn(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) { return; }
        _cancellation = cancellationToken.UnsafeRegister(
            static (exchange, token) => ((ClientExchange)exchange!).Cancel(token), this);
        if (_caller.IsDone) { _cancellation.Dispose(); }
    }

    /// <summary>The request goes out, as a datagram: draws the token and starts the retransmission.</summary>
    public void Start(MessageId messageId)
    {
        MessageId = messageId;
        StartWith(Request.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable);
        if (Request.IsConfirmable)
        {
            _retransmission = ((DatagramChannel)Channel!).StartTimer(Transmission);
            _state = State.Unacknowledged;
            WakeAt(_retransmission.Deadline);
        }
        else
        {
            AwaitResponse();
        }
        _lane.Exchanges.AddUnsettled(this);
        _lane.Send(new OutgoingMessage(Key, _message!));
    }

    /// <summary>The request goes out over a reliable transport, which retransmits by itself (RFC 8323, section 3.3).</summary>
    public void StartReliable(StreamChannel channel)
    {
        StartWith(MessageType.Confirmable);
        AwaitResponse();
        _lane.Send(new OutgoingMessage(Key, _message!) { Stream = channel });
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
        ((DatagramChannel)Channel!).Measure(_retransmission);
        AwaitResponse();
        Channel!.Release(this);
    }

    public void OnReset() => Fail(new CoapResetException(Key.Peer.ToString()));

    public void OnNetworkError(SocketError error) =>
        Fail(new CoapTransportException($"The network did not deliver the request to {Key.Peer}: {error}.", new SocketException((int)error)));

    /// <summary>The response is there: it also acknowledges whatever was not acknowledged (RFC 7252, section 5.3.2).</summary>
    public void Complete(CoapMessage response)
    {
        End();
        var roundTrip = TimeSpan.FromTicks(_lane.Now - _startedAt);
        CoapMetrics.RecordRequest(Request.Method, response.Code, roundTrip);
        CoapTracing.End(_activity, response.Code);
        _caller.TryComplete(new CoapResponse(response.Code)
        {
            Options = response.Options,
            Payload = response.Code.MayHavePayload ? response.Payload : default,
            Remote = Key.Peer,
            RoundTripTime = roundTrip,
        });
    }

    public void Fail(Exception error)
    {
        if (_state == State.Done) { return; }
        End();
        _lane.Metrics.FailedRequests++;
        CoapMetrics.RecordFailure(Request.Method, error, _message is null ? TimeSpan.Zero : TimeSpan.FromTicks(_lane.Now - _startedAt));
        CoapTracing.Fail(_activity, error);
        _caller.TryFail(error);
    }

    private void Cancel(CancellationToken cancellationToken)
    {
        if (!_caller.TryCancel(cancellationToken)) { return; }
        _lane.Post(new LaneAction(() =>
        {
            if (_state == State.Done) { return; }
            End();
            _activity?.Dispose();
        }));
    }

    private void StartWith(MessageType type)
    {
        _startedAt = _lane.Now;
        Token = Request.Token ?? _lane.Tokens.Next();
        _lane.Exchanges.Add(this);
        _message = new CoapMessage
        {
            Type = type,
            Code = Request.Method,
            MessageId = MessageId,
            Token = Token,
            Options = Options,
            Payload = Request.Payload,
        };
    }

    private void AwaitResponse()
    {
        _state = State.Acknowledged;
        WakeAt(_lane.Now + ResponseTimeout);
    }

    private void SendAgain()
    {
        _lane.Metrics.Retransmissions++;
        _lane.Send(new OutgoingMessage(Key, _message!));
    }

    private void FailWithTimeout()
    {
        var acknowledged = _state == State.Acknowledged && Request.IsConfirmable && Channel is DatagramChannel;
        var attempts = Request.IsConfirmable && Channel is DatagramChannel ? _retransmission.Attempts : 1;
        Fail(new CoapTimeoutException(Key.Peer.ToString(), attempts, TimeSpan.FromTicks(_lane.Now - _startedAt), acknowledged));
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
        _cancellation.Dispose();
    }
}
