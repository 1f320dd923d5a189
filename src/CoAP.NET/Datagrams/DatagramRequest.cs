using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Datagrams;

/// <summary>A request that was received in a datagram (RFC 7252).</summary>
internal sealed class DatagramRequest : IncomingRequest
{
    private readonly DatagramLane _lane;
    private readonly int _datagramLength;
    private readonly bool _isMulticast;

    public DatagramRequest(DatagramLane lane, CoapMessage message, in ChannelKey key, IAnswerTaker? taker = null)
        : base(message, key) => (_lane, Taker) = (lane, taker);

    public DatagramRequest(DatagramLane lane, in ReceivedMessage item)
        : base(item.Message, item.Key) =>
        (_lane, Ticket, _datagramLength, _isMulticast) = (lane, item.Ticket, item.Frame.Bytes.Length, item.IsMulticast);

    public override bool IsMulticast => _isMulticast;

    public override bool IsReliable => false;

    public override IChannel Channel => new DatagramChannelHandle(_lane, Key);

    // A token for each plain request would cost more than the rest of the request, so it is created when somebody asks for it.
    public override CancellationToken RequestAborted => Taker is not null ? _lane.Stopping : IsSecured ? _lane.Watches.SessionOf(Key) : AbortedOrNew.Token;

    internal override CancellationToken HandlerAborted =>
        Taker is not null ? _lane.Stopping : IsSecured ? _lane.Watches.SessionOf(Key) : KnownContext?.Aborted?.Token ?? _lane.Stopping;

    private bool IsSecured => _lane.IsSecured?.Invoke(Peer) == true;

    private PeerToken AbortedOrNew
    {
        get
        {
            if (Context.Aborted is { } known) { return known; }
            var created = new PeerToken(_lane.Stopping);
            var kept = Context.KeepAborted(created);
            if (kept == created) { _lane.Watches.Watch(this, created); }
            else { created.Leave(); }
            return kept;
        }
    }

    internal override Account Account => Taker is { } taker ? taker.Account : _lane.AccountOf(Key.Peer, Credentials);

    internal override ExchangeLane Lane => _lane;

    private protected override Func<IncomingRequest, IServiceProvider>? ServiceFactory => _lane.RequestServices;

    internal override Ticket Ticket { get; }

    internal override bool NeedsAcknowledgement => Message.Type == MessageType.Confirmable && !IsAcknowledged;

    internal override MessageLimits ResponseLimits => DatagramChannel.LimitsOf(_lane.MaxSendSizeTo(Key));

    internal override int Allowance => _lane.Addresses is { } addresses ? addresses.AllowanceFor(Peer, _datagramLength) : int.MaxValue;

    public override void Acknowledge() => _lane.Post(new LaneAction(() => Unanswered?.OnDeadline()));

    private protected override IncomingRequest Repeat(CoapMessage message, IAnswerTaker taker) => new DatagramRequest(_lane, message, Key, taker);

    private protected override bool TrySend(in Answer answer, Output<OutgoingMessage> output)
    {
        var isConfirmable = Message.Type != MessageType.NonConfirmable;
        if (isConfirmable && !answer.IsAcknowledged)
        {
            output.Emit(Compose(answer.Response, MessageType.Acknowledgement, Message.MessageId));
            return true;
        }
        if (!_lane.TryNextMessageId(Key, out var messageId)) { return false; }
        // Peers that never acknowledge must not fill the lane's memory. Above the share of their account, responses are sent once, unreliably
        // (RFC 7252, section 5.2.3).
        var account = Account;
        if (!isConfirmable || answer.Response.IsChallenge || _lane.Ledger.SeparateAnswers.TryCharge(account) != Charge.Accepted)
        {
            output.Emit(Compose(answer.Response, MessageType.NonConfirmable, messageId));
            _lane.Settle(Key, messageId);   // no reply is expected
            return true;
        }
        var message = Compose(answer.Response, MessageType.Confirmable, messageId);
        var separate = new SeparateAnswer(_lane, message)
        {
            Registration = answer.Registration,
            Charged = (_lane.Ledger.SeparateAnswers, account),
            MaxTransmissions = answer.MaxTransmissions,
        };
        separate.Start(output, request: this);
        return true;
    }

    private protected override void Settle(Output<OutgoingMessage>? acknowledgements, RetentionClass retention)
    {
        if (NeedsAcknowledgement && acknowledgements is not null) { EmptyMessages.Acknowledge(this, acknowledgements, retention); }
        else { _lane.Retain(Key, Ticket, retention); }
    }

    private protected override void Unwatch(PeerToken token) => _lane.Watches.Remove(Peer, token);

    private protected override void Forget() => _lane.Forget(Ticket);

    private OutgoingMessage Compose(CoapResponse response, MessageType type, MessageId messageId) =>
        new(Key, new CoapMessage(type, response.Code, messageId, Message.Token, response.Options, response.Payload))
        {
            Ticket = Ticket,
            Request = this,
            Retention = response.IsSuccess ? RetentionClasses.Of(Method) : Retention,
        };
}
