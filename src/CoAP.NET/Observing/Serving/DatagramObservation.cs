using System.Net.Sockets;
using CoAP.Accounting;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;

namespace CoAP.Observing;

/// <summary>An observation over datagrams. At most one confirmable notification is in flight (RFC 7641, section 4.5).</summary>
/// <remarks>
/// A Reset that rejects the last notification ends the observation (RFC 7641, section 3.6). So does a confirmable notification without an
/// acknowledgement. If the client has acknowledged nothing since that notification was first sent, all its observations end: each would only fail
/// in the same way after another MAX_TRANSMIT_WAIT.
/// </remarks>
internal sealed class DatagramObservation : Observation, IUnsettled, ILaneDeadline, IAnswerTaker
{
    private const int NumbersPerSave = 65_536;

    private readonly DatagramObserverPeer _peer;
    private NotificationFlight _flight;
    private ConfirmationSchedule _rhythm;
    private long _flightBegan;
    private CoapMessage? _message;
    private bool _isKnown;              // whether the message ID is in the table of exchanges
    private bool _isConfirmable;        // whether the next message is confirmable
    private CoapResponse? _probe;       // a notification that checks whether the client still exists
    private long _probeNumber;
    private long _probeAt;
    private bool _isEarly;              // whether a trusted client gets the probe later
    private long _savedNumber;          // the stored upper limit of the numbers; 0 if the observation is not stored
    private int _size;                  // the size of the last message in bytes
    private ObserverAllowance _allowance;

    public DatagramObservation(ObserverRegistry registry, DatagramObserverPeer peer, IncomingRequest request)
        : base(registry, peer, request)
    {
        _peer = peer;
        _rhythm = new ConfirmationSchedule(Lane.Now);
        _allowance = new ObserverAllowance(request.Allowance, LastMessageSize);
        ScheduleProbe();
    }

    public ChannelKey Key => Request.Key;

    public MessageId MessageId { get; private set; }

    public bool IsCounted => false;

    public long Deadline => IsEnded ? long.MaxValue : IsInFlight ? _flight.Deadline : _probeAt;

    public int QueueIndex { get; set; }

    public bool IsInFlight => _flight.IsOut;

    public override bool IsCurrent => base.IsCurrent && _probe is null;

    /// <summary>Whether the next notification is confirmable.</summary>
    public bool IsConfirmableNext =>
        !_peer.IsProven || (Representation.IsConfirmable ?? Settings.IsConfirmable)
        || _rhythm.IsDue(Lane.Now, Settings.ConfirmableEvery, Settings.ConfirmableInterval.Ticks);

    private ServerObservationSettings Settings => Registry.Settings;

    private bool IsUnlimited => Lane.Addresses is not { } addresses || addresses.IsVerified(Key.Peer);

    public override void Registered(long number, int size)
    {
        base.Registered(number, size);
        _allowance.SpendRegistration(size, Request.IsAcknowledged ? Registry.Exchanges.Transmission.MaxRetransmit : 0);
        if (IsUnlimited) { Save(); }
        Lane.Schedule(this);
    }

    /// <summary>Continues an observation of an earlier run. Only observations of verified addresses are stored, so the allowance is unlimited.</summary>
    public void Restored(long number)
    {
        (_savedNumber, _allowance) = (number, new ObserverAllowance(int.MaxValue, LastMessageSize));
        Lane.Schedule(this);
    }

    public override void Forget()
    {
        if (_savedNumber > 0) { Registry.Journal!.Remove(Lane, Key, Token); }
    }

    public override void Offer()
    {
        if (!IsEnded && Representation.IsEnding) { Emit(Representation.Current!); }
        else if (!IsEnded && !IsInFlight) { _peer.Offer(this); }
    }

    /// <summary>Sends the newest representation.</summary>
    public void Transmit(bool isConfirmable)
    {
        _isConfirmable = isConfirmable;
        // If the state has changed since the call of the handler, the notification of the change takes the place of the probe.
        if (_probeNumber < Representation.Number || Representation.IsDue) { _probe = null; }
        if (IsCurrent) { return; }
        Emit(_probe ?? Representation.Current!);
    }

    // While a notification is in flight, the newer state replaces its retransmission.
    protected override void Resume()
    {
        if (IsInFlight) { Transmit(isConfirmable: true); }
        else { Offer(); }
    }

    public override void Send(CoapResponse response)
    {
        if (IsEnded) { return; }
        if (!response.IsSuccess)
        {
            SendLast(response);
            return;
        }
        _size = Request.SizeOf(response);
        if (!IsInFlight && !IsUnlimited && !_allowance.Allows(_size, _peer.CreditEpoch))
        {
            Lane.Metrics[LaneCounters.LimitedAnswers]++;
            SendLast(Lane.Addresses!.Challenge(Key.Peer));
            return;
        }
        if (!Lane.TryNextMessageId(Key, out var messageId)) { return; }
        ForgetMessage();
        (SentNumber, _probe) = (_probe is null ? Representation.Number : _probeNumber, null);
        if (_savedNumber > 0 && SentNumber > _savedNumber) { Save(); }
        MessageId = messageId;
        var message = Compose(response, _isConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable, messageId);
        (_message, _isKnown) = (_isConfirmable ? message : null, true);
        Lane.Exchanges.AddUnsettled(this);
        if (!IsInFlight) { Begin(); }
        Lane.Schedule(this);
        SendMessage(message);
    }

    public void OnDeadline()
    {
        if (!IsInFlight)
        {
            Probe();
            return;
        }
        var step = _flight.Poll(Lane.Now, hasNewer: !IsCurrent);
        if (step == FlightStep.GiveUp)
        {
            GiveUp();
            return;
        }
        if (step is FlightStep.SendNewer or FlightStep.SendAgain) { Lane.Metrics[LaneCounters.Retransmissions]++; }
        if (step == FlightStep.SendNewer) { Transmit(isConfirmable: true); }
        else if (step == FlightStep.SendAgain) { SendMessage(_message!); }
        Lane.Schedule(this);
    }

    public void Take(CoapResponse response)
    {
        response = Representation.WithoutStream(response);
        if (IsEnded) { return; }
        if (ReferenceEquals(response, Response.Overloaded) || !Representation.TryStamp(response, out var stamped, out _probeNumber, out _))
        {
            ScheduleProbe();
            Lane.Schedule(this);
            return;
        }
        _probe = stamped;
        Offer();
    }

    public void OnAcknowledged()
    {
        if (!IsInFlight) { return; }
        _rhythm.Confirmed(Lane.Now);
        _peer.Acknowledged(_flight.End(Lane.Now));
        ForgetMessage();
        if (!IsUnlimited) { _allowance.Earn(Lane.Addresses!.MinAllowance, _peer.CreditEpoch); }
        else if (_savedNumber == 0) { Save(); }
        ScheduleProbe();
        Lane.Schedule(this);
        if (!IsCurrent) { _peer.Offer(this); }
        else { _peer.Advance(); }
    }

    public void OnReset()
    {
        if (!_peer.IgnoresResets) { Registry.Remove(this); }
    }

    public void OnNetworkError(SocketError error) => _peer.RemoveAll();

    public override void End()
    {
        base.End();
        Lane.Unschedule(this);
        ForgetMessage();
        if (!IsInFlight) { return; }
        _flight.End(Lane.Now);
        _peer.Abandoned();
        _peer.Advance();
    }

    private void Begin()
    {
        Lane.Metrics[LaneCounters.Notifications]++;
        _peer.Sent(_isConfirmable);
        if (_isConfirmable)
        {
            _flightBegan = Lane.Now;
            _flight.Begin(Lane.Now, Registry.Exchanges.Transmission, Lane.Random.NextDouble());
        }
        else { _rhythm.SentUnconfirmed(); }
    }

    private void GiveUp()
    {
        Lane.Metrics[LaneCounters.UnacknowledgedAnswers]++;
        _peer.Abandoned();
        if (_peer.WasHeardSince(_flightBegan)) { Registry.Remove(this); }
        else { _peer.RemoveAll(); }
        _peer.Advance();
    }

    /// <summary>Sends an error and ends the observation at once (RFC 7641, section 4.2). The allowance may shorten it, or forbid retransmission.</summary>
    private void SendLast(CoapResponse response)
    {
        Registry.Remove(this);
        var allowance = IsUnlimited ? int.MaxValue : _allowance.At(_peer.CreditEpoch);
        // With a verified address, the client has a share of its own.
        if (ReferenceEquals(response, Response.Overloaded) && !IsUnlimited) { response = Lane.Addresses!.Challenge(Key.Peer); }
        if (Request.SizeOf(response) > allowance) { response = new CoapResponse(response.Code); }
        if (!Lane.TryNextMessageId(Key, out var messageId)) { return; }
        Lane.Metrics[LaneCounters.Notifications]++;
        // Peers that never acknowledge must not fill the memory. Above the share of the account, the error is therefore sent once, without retransmission.
        var (answers, account) = (Lane.Ledger.SeparateAnswers, Account);
        var total = Request.SizeOf(response) * (1L + Registry.Exchanges.Transmission.MaxRetransmit);
        if (!response.IsChallenge && total <= allowance && answers.TryCharge(account) == Charge.Accepted)
        {
            var message = new OutgoingMessage(Key, Compose(response, MessageType.Confirmable, messageId));
            new SeparateAnswer(Lane, message) { Charged = (answers, account) }.Start(Registry.Notifications);
            return;
        }
        Registry.Notifications.Emit(new OutgoingMessage(Key, Compose(response, MessageType.NonConfirmable, messageId)));
        Lane.Settle(Key, messageId);    // no reply is expected
    }

    // RFC 9175, section 2.4, item 3 limits what is sent to an unverified address. A message beyond the limit counts as lost.
    private void SendMessage(CoapMessage message)
    {
        if (!IsUnlimited)
        {
            if (!_allowance.Allows(_size, _peer.CreditEpoch))
            {
                Lane.Metrics[LaneCounters.LimitedAnswers]++;
                return;
            }
            _allowance.Spend(_size);
        }
        Registry.Notifications.Emit(new OutgoingMessage(Key, message));
    }

    // Stores a number far ahead, so that not every notification writes to the store.
    private void Save()
    {
        if (Registry.Journal is not { } journal) { return; }
        _savedNumber = SentNumber + NumbersPerSave;
        journal.Save(Lane, new StoredObserver
        {
            Peer = Key.Peer,
            Local = Key.Local,
            Token = Token,
            Request = CoapMessageSerializer.Datagram.Serialize(Request.Message),
            SequenceLimit = _savedNumber,
        });
    }

    // Observations of forged addresses must not occupy the list for a day. A peer that guesses message IDs soon acknowledges a wrong one.
    private void ScheduleProbe()
    {
        _isEarly = !IsUnlimited && Settings.UnverifiedTimeout < Settings.ConfirmableInterval;
        _probeAt = Lane.Now + (_isEarly ? Settings.UnverifiedTimeout : Settings.ConfirmableInterval).Ticks;
    }

    // A client that has received nothing for a day may no longer exist (RFC 7641, section 4.5).
    private void Probe()
    {
        var isLater = _isEarly && (_peer.IsTrusted || IsUnlimited);
        (_isEarly, _probeAt) = (false, isLater ? Lane.Now + (Settings.ConfirmableInterval - Settings.UnverifiedTimeout).Ticks : long.MaxValue);
        if (isLater) { Lane.Schedule(this); }
        else if (MayCall(Probe)) { Registry.Ask(Request, this); }
    }

    private void ForgetMessage()
    {
        if (!_isKnown) { return; }
        (_message, _isKnown) = (null, false);
        Lane.Exchanges.RemoveUnsettled(this);
        Lane.Settle(Key, MessageId);
    }
}
