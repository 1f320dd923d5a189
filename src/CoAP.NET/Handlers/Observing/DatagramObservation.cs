using System.Net.Sockets;
using CoAP.Channels;
using CoAP.Observing;
using CoAP.Serialization;

namespace CoAP.Handlers;

/// <summary>An observation whose notifications are datagrams: confirmable ones with one in flight, or non-confirmable ones (RFC 7641, section 4.5).</summary>
/// <remarks>
/// The last message, of either kind, can be rejected with a Reset, which ends the observation (RFC 7641, section 3.6). When a confirmable one
/// is given up the observation ends; if the client has acknowledged nothing at all since it was first sent, so do all others of that client:
/// each of them would only find out the same after another MAX_TRANSMIT_WAIT.
/// </remarks>
internal sealed class DatagramObservation : Observation, IUnsettled, ILaneDeadline, IAnswerTaker
{
    private const int NumbersPerSave = 65_536;

    private readonly DatagramObserverPeer _peer;
    private NotificationFlight _flight;
    private ConfirmationSchedule _rhythm;
    private long _flightBegan;
    private CoapMessage? _message;
    private bool _isKnown;              // the message ID stands in the table of exchanges
    private bool _isConfirmable;        // what the next message is to be
    private CoapResponse? _probe;       // asks the client whether it is still there
    private long _probeNumber;
    private long _asksAt;
    private long _savedNumber;          // what is kept of it is good up to here; 0 where it is not kept
    private int _size;                  // of the last message, in bytes
    private int _allowance;             // what may still be sent to an address that is not verified

    public DatagramObservation(ObserverRegistry registry, DatagramObserverPeer peer, ReceivedRequest request)
        : base(registry, peer, request)
    {
        _peer = peer;
        _rhythm = new ConfirmationSchedule(Lane.Now);
        _allowance = Lane.AllowanceFor(request);
        AskLater();
    }

    public ChannelKey Key => Request.Key;

    public MessageId MessageId { get; private set; }

    public bool IsCounted => false;

    public bool ProvesAddress => IsInFlight;

    public long Deadline => IsEnded ? long.MaxValue : IsInFlight ? _flight.Deadline : _asksAt;

    public int QueueIndex { get; set; }

    public bool IsInFlight => _flight.IsOut;

    public override bool IsCurrent => base.IsCurrent && _probe is null;

    /// <summary>Whether the next notification is to be confirmable.</summary>
    public bool IsConfirmableNext =>
        !_peer.IsProven || (State.IsConfirmable ?? Settings.IsConfirmable)
        || _rhythm.IsDue(Lane.Now, Settings.ConfirmableEvery, Settings.ConfirmableWithin.Ticks);

    private ObserverSettings Settings => Lane.Settings.Observers;

    private bool IsUnlimited => Lane.Addresses is not { } addresses || addresses.IsVerified(Key.Peer);

    public override void Registered(long number, int size)
    {
        base.Registered(number, size);
        _allowance -= size;
        if (IsUnlimited) { Save(); }
        Lane.Schedule(this);
    }

    /// <summary>It was taken up from an earlier run, in which the client had shown that the address is its own.</summary>
    public void Restored(long number)
    {
        (_savedNumber, _allowance) = (number, int.MaxValue);
        Lane.Schedule(this);
    }

    public override void Forget()
    {
        if (_savedNumber > 0) { Registry.Pipeline.Journal!.Remove(Lane, Key, Token); }
    }

    public override void Offer()
    {
        if (IsEnded) { return; }
        if (State.IsEnding) { Emit(State.Current!); }
        else if (!IsInFlight) { _peer.Offer(this); }
    }

    /// <summary>Sends the newest state.</summary>
    public void Transmit(bool isConfirmable)
    {
        _isConfirmable = isConfirmable;
        Emit(_probe ?? State.Current!);
    }

    public override void Send(CoapResponse response)
    {
        if (IsEnded) { return; }
        if (!response.IsSuccess)
        {
            SendLast(response);
            return;
        }
        _size = AmplificationStage.SizeOf(Request, response);
        if (!IsInFlight && _size > _allowance && !IsUnlimited)
        {
            Lane.Metrics.LimitedAnswers++;
            SendLast(Registry.Pipeline.Echoes.Challenge(Key.Peer, Lane));
            return;
        }
        if (!TryNextMessageId(out var messageId)) { return; }
        ForgetMessage();
        SentNumber = _probe is null ? State.Number : Math.Max(_probeNumber, State.Number);
        _probe = null;
        if (_savedNumber > 0 && SentNumber > _savedNumber) { Save(); }
        MessageId = messageId;
        var message = Compose(response, _isConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable, messageId);
        _message = _isConfirmable ? message : null;
        _isKnown = true;
        Lane.Exchanges.AddUnsettled(this);
        if (!IsInFlight) { Begin(); }
        Lane.Schedule(this);
        Put(message);
    }

    public void OnDeadline()
    {
        if (!IsInFlight)
        {
            // A client that was sent nothing for a day may be long gone (RFC 7641, section 4.5).
            _asksAt = long.MaxValue;
            Registry.Ask(Request, this);
            return;
        }
        switch (_flight.Poll(Lane.Now, hasNewer: !IsCurrent))
        {
            case FlightStep.GiveUp:
                GiveUp();
                return;
            case FlightStep.SendNewer:
                Lane.Metrics.Retransmissions++;
                Transmit(isConfirmable: true);
                break;
            case FlightStep.SendAgain:
                Lane.Metrics.Retransmissions++;
                Put(_message!);
                break;
        }
        Lane.Schedule(this);
    }

    public void Take(CoapResponse response)
    {
        if (IsEnded) { return; }
        if (ReferenceEquals(response, RequestHandler.Overloaded) || !Registry.TryStamp(response, out var stamped, out _probeNumber, out _))
        {
            AskLater();
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
        if (_savedNumber == 0) { Save(); }
        AskLater();
        Lane.Schedule(this);
        if (!IsCurrent) { _peer.Offer(this); }
        else { _peer.Advance(); }
    }

    public void OnReset() => Registry.Remove(this);

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
        Lane.Metrics.Notifications++;
        _peer.Sent(_isConfirmable);
        if (_isConfirmable)
        {
            _flightBegan = Lane.Now;
            _flight.Begin(Lane.Now, Lane.Settings.Transmission, Lane.Random.NextDouble());
        }
        else { _rhythm.SentUnconfirmed(); }
    }

    private void GiveUp()
    {
        Lane.Metrics.UnacknowledgedAnswers++;
        _peer.Abandoned();
        if (_peer.WasHeardSince(_flightBegan)) { Registry.Remove(this); }
        else { _peer.RemoveAll(); }
        _peer.Advance();
    }

    /// <summary>An error ends the observation (RFC 7641, section 4.2). It is repeated until it is acknowledged, but nothing waits for that.</summary>
    private void SendLast(CoapResponse response)
    {
        Registry.Remove(this);
        var size = AmplificationStage.SizeOf(Request, response);
        if ((size > _allowance && !IsUnlimited) || !TryNextMessageId(out var messageId)) { return; }
        Lane.Metrics.Notifications++;
        var isRepeated = IsUnlimited || size * (1L + Lane.Settings.Transmission.MaxRetransmit) <= _allowance;
        if (isRepeated && Lane.Exchanges.UnsettledCount < Lane.Settings.MaxPendingRequests)
        {
            new SeparateAnswer(Lane, new OutgoingMessage(Key, Compose(response, MessageType.Confirmable, messageId))).Start();
            return;
        }
        Lane.Send(new OutgoingMessage(Key, Compose(response, MessageType.NonConfirmable, messageId)));
    }

    // To an address that may be forged no more is sent than RFC 9175, section 2.4, item 3 allows: what is too much counts as lost.
    private void Put(CoapMessage message)
    {
        if (!IsUnlimited)
        {
            if (_size > _allowance)
            {
                Lane.Metrics.LimitedAnswers++;
                return;
            }
            _allowance -= _size;
        }
        Lane.Send(new OutgoingMessage(Key, message));
    }

    // What is kept allows for many numbers, so that it need not be kept anew for each.
    private void Save()
    {
        if (Registry.Pipeline.Journal is not { } journal) { return; }
        _savedNumber = SentNumber + NumbersPerSave;
        journal.Save(Lane, new StoredObserver
        {
            Peer = Key.Peer,
            Local = Key.Local,
            Token = Token,
            Request = CoapMessageSerializer.Datagram.Serialize(Request.Message),
            Number = _savedNumber,
        });
    }

    // Whoever forges addresses must not fill the list for a day.
    private void AskLater()
    {
        var within = _peer.IsProven || IsUnlimited ? Settings.ConfirmableWithin : Settings.UnverifiedFor;
        _asksAt = Lane.Now + Math.Min(within.Ticks, Settings.ConfirmableWithin.Ticks);
    }

    private bool TryNextMessageId(out MessageId messageId)
    {
        if (!Lane.Channels.TryFind(Key, out var channel))
        {
            messageId = Lane.MessageIds.Next(Lane.HashOf(Key));
            return true;
        }
        if (channel.TryNextMessageId(out messageId)) { return true; }
        Lane.Metrics.DroppedForOverload++;
        return false;
    }

    private void ForgetMessage()
    {
        if (!_isKnown) { return; }
        _isKnown = false;
        _message = null;
        Lane.Exchanges.RemoveUnsettled(this);
        if (Lane.Channels.TryFind(Key, out var channel)) { channel.Settle(MessageId); }
    }
}
