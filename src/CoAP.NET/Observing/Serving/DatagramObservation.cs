using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Lanes;

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

    private NotificationFlight _flight;
    private ConfirmationSchedule _rhythm;
    private long _flightBegan;
    private CoapMessage? _message;
    private Action? _acknowledged;
    private bool _isConfirmable;        // whether the next message is confirmable
    private bool _isKnown;              // whether the message ID is in the table of exchanges
    private CoapResponse? _probe;       // a notification that checks whether the client still exists
    private long _probeNumber;
    private PresenceCheck _presence;
    private bool _isWithheld;           // whether the allowance has withheld a transmission of the notification in flight
    private long _savedNumber;          // the stored upper limit of the numbers; 0 if the observation is not stored
    private int _size;                  // the size of the last message in bytes
    private ObserverAllowance _allowance;

    public DatagramObservation(ObservingLane observing, DatagramObserverPeer peer, IncomingRequest request)
        : base(observing, peer, request)
    {
        _rhythm = new ConfirmationSchedule(Lane.Now);
        _allowance = new ObserverAllowance(request.Allowance, LastMessageSize);
        _presence = new PresenceCheck(Settings);
        _presence.Schedule(Lane.Now, IsUnlimited);
    }

    // The base class holds it. A second field would cost eight bytes for each observer.
    private new DatagramObserverPeer Peer => (DatagramObserverPeer)base.Peer;

    public ChannelKey Key => Request.Key;

    public MessageId MessageId { get; private set; }

    public bool IsCounted => false;

    public long Deadline => IsEnded ? long.MaxValue : IsInFlight ? _flight.Deadline : _presence.At;

    public int QueueIndex { get; set; }

    public override bool IsConfirmable => _isConfirmable;

    public override void WhenAcknowledged(Action next) => _acknowledged = next;

    public bool IsInFlight => _flight.IsOut;

    public override bool IsCurrent => base.IsCurrent && _probe is null;

    /// <summary>Whether the next notification is confirmable.</summary>
    public bool IsConfirmableNext =>
        Ending is not null || !Peer.HasAcknowledged || (Representation.IsConfirmable ?? Settings.IsConfirmable)
        || _rhythm.IsDue(Lane.Now, Settings.ConfirmableEvery, Settings.ConfirmableInterval.Ticks);

    private ServerObservationSettings Settings => Observing.Settings;

    private bool IsUnlimited => Lane.Addresses is not { } addresses || addresses.IsVerified(Key.Peer);

    public override void Registered(long number, int size)
    {
        base.Registered(number, size);
        _allowance.SpendRegistration(size, Request.IsAcknowledged ? Observing.Exchanges.Transmission.MaxRetransmit : 0);
        if (IsUnlimited) { Save(); }
        Lane.Schedule(this);
    }

    /// <summary>Continues an observation of an earlier run. Only observations of verified addresses are stored, so the allowance is unlimited.</summary>
    /// <param name="number">The upper limit of the numbers that were sent.</param>
    /// <param name="format">The Content-Format of what the client has got; <see langword="null"/> if it is not known.</param>
    public void Restored(long number, int? format)
    {
        Format = format;
        (_savedNumber, _allowance) = (number, new ObserverAllowance(int.MaxValue, LastMessageSize));
        Lane.Schedule(this);
    }

    public override void Forget()
    {
        if (_savedNumber > 0) { Observing.Journal?.Remove(Lane, Key, Token); }
    }

    public override void Offer()
    {
        if (!IsEnded && !IsInFlight) { Peer.Offer(this); }
    }

    /// <summary>Sends the newest representation.</summary>
    public void Transmit(bool isConfirmable)
    {
        _isConfirmable = isConfirmable;
        if (Ending is { } ending)
        {
            Emit(ending);
            return;
        }
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
        if (!IsInFlight && !IsUnlimited && !_allowance.Allows(_size, Peer.CreditEpoch))
        {
            Lane.Metrics[LaneCounters.LimitedAnswers]++;
            SendLast(Lane.Addresses!.Challenge(Key.Peer));
            return;
        }
        if (!Lane.TryNextMessageId(Key, out var messageId))
        {
            Peer.Delay(this);
            return;
        }
        ForgetMessage();
        (SentNumber, _probe) = (_probe is null ? Representation.Number : _probeNumber, null);
        if (_savedNumber > 0 && SentNumber > _savedNumber - (NumbersPerSave / 2)) { Save(); }
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

    public void Take(CoapResponse response, bool isPutOff)
    {
        response = Representation.Resource.WithoutStream(response, Representation.Path);
        if (IsEnded) { return; }
        if (isPutOff || !Representation.TryStamp(response, out var stamped, out _probeNumber, out _))
        {
            _presence.Schedule(Lane.Now, IsUnlimited);
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
        Peer.Acknowledged(_flight.End(Lane.Now));
        var acknowledged = _acknowledged;
        ForgetMessage();
        acknowledged?.Invoke();
        if (!IsUnlimited) { _allowance.Earn(Lane.Addresses!.MinAllowance, Peer.CreditEpoch); }
        else if (_savedNumber == 0) { Save(); }
        _presence.Schedule(Lane.Now, IsUnlimited);
        Lane.Schedule(this);
        if (!IsCurrent) { Peer.Offer(this); }
        else { Peer.Advance(); }
    }

    public void OnReset()
    {
        if (!Peer.IgnoresResets) { Revoke(); }
    }

    public void OnNetworkError(SocketError error) => Peer.RemoveAll();

    public override void End()
    {
        base.End();
        Lane.Unschedule(this);
        ForgetMessage();
        if (!IsInFlight) { return; }
        _flight.End(Lane.Now);
        Peer.Abandoned();
        Peer.Advance();
    }

    private void Begin()
    {
        Lane.Metrics[LaneCounters.Notifications]++;
        Peer.Sent(_isConfirmable);
        if (_isConfirmable)
        {
            (_flightBegan, _isWithheld) = (Lane.Now, false);
            _flight.Begin(Lane.Now, Observing.Exchanges.Transmission, Lane.Random.NextDouble());
        }
        else { _rhythm.SentUnconfirmed(); }
    }

    private void GiveUp()
    {
        Lane.Metrics[LaneCounters.UnacknowledgedAnswers]++;
        Peer.Abandoned();
        // Some transmissions were withheld, so the client may still be there. The challenge lets it register again.
        if (_isWithheld) { Peer.EndAll(Lane.Addresses!.Challenge(Key.Peer)); }
        else if (Peer.WasHeardSince(_flightBegan)) { Revoke(); }
        else { Peer.RemoveAll(); }
        Peer.Advance();
    }

    // Ends the observation with an error (RFC 7641, section 4.2). The allowance may shorten it, or forbid retransmissions.
    private void SendLast(CoapResponse error)
    {
        if (!Lane.TryNextMessageId(Key, out var messageId))
        {
            Peer.Delay(this);
            return;
        }
        var allowance = IsUnlimited ? int.MaxValue : _allowance.At(Peer.CreditEpoch);
        // With a verified address, the client has a share of its own.
        if (Representation.HasNoRoom && !IsUnlimited) { error = Lane.Addresses!.Challenge(Key.Peer); }
        if (Request.SizeOf(error) > allowance) { error = new CoapResponse(error.Code); }
        Peer.SendLast(this, error, messageId, Math.Max(1, allowance / Request.SizeOf(error)), IsInFlight ? _flight.Leave() : null);
    }

    // RFC 9175, section 2.4, item 3 limits what is sent to an unverified address. A message beyond the limit counts as lost.
    private void SendMessage(CoapMessage message)
    {
        if (!IsUnlimited)
        {
            if (!_allowance.Allows(_size, Peer.CreditEpoch))
            {
                Lane.Metrics[LaneCounters.LimitedAnswers]++;
                _isWithheld = true;
                return;
            }
            _allowance.Spend(_size);
        }
        Observing.Notifications.Emit(new OutgoingMessage(Key, message));
    }

    // Stores a number far ahead, so that not every notification writes to the store, and the next one when half of the numbers are used:
    // the store may rest, and a crash must not go back behind a number that was sent (RFC 7641, section 4.4).
    private void Save()
    {
        // What a stage protects could not go on after a restart: the stage would not know for whom it has to protect the notifications.
        if (Observing.Journal is not { } journal || Lane.HasCredentialsOfStage(Key.Peer, Request.Credentials)) { return; }
        var isKnown = _savedNumber > 0;
        _savedNumber = SentNumber + NumbersPerSave;
        journal.Save(Lane, Key, Request.Message, _savedNumber, isKnown, Format);
    }

    private void Probe()
    {
        if (!_presence.IsDue(Lane.Now, Peer.IsTrusted || IsUnlimited)) { Lane.Schedule(this); }
        else if (MayCall(Probe)) { Observing.Ask(Request, this); }
    }

    private void ForgetMessage()
    {
        if (!_isKnown) { return; }
        (_message, _acknowledged, _isKnown) = (null, null, false);
        Lane.Exchanges.RemoveUnsettled(this);
        Lane.Settle(Key, MessageId);
    }
}
