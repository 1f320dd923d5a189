using CoAP.Accounting;
using CoAP.Datagrams;
using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Observing;

/// <summary>A client with observations over datagrams. At most NSTART notifications to it are in flight (RFC 7641, section 4.5.1).</summary>
internal sealed class DatagramObserverPeer(ObserverRegistry registry, ObservingLane observing, in ChannelKey key)
    : ObserverPeer<DatagramObservation>(registry, observing, key), IMovableDeadline
{
    // With so few guesses in each period, an attacker needs ten hours on average to find one of three message IDs among 65,536: that of the notification
    // in flight, and those of SettledMessages. An honest client sends few wrong Resets.
    private const int MostWrongResets = 16;
    private static readonly long CountingTime = TimeSpan.FromMinutes(10).Ticks;
    private static readonly long WaitForMessageId = TimeSpan.FromSeconds(1).Ticks;
    private static readonly long DeafTime = TimeSpan.FromSeconds(30).Ticks;

    private readonly NotificationRateLimiter _rateLimiter = new(observing.Exchanges.Transmission.NStart);
    private long _heardAt = long.MinValue;
    private uint _heardEpoch;
    private int _wrongResets;
    private long _wrongResetsUntil;
    private long _deafUntil;
    private bool _isAdvancing;
    private long _delayedUntil = long.MinValue;     // no message ID is free before
    private int _lasts;         // the outstanding errors that have ended observations
    private SettledMessages _settled;

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Whether the client has acknowledged a notification. This does not verify its address, because a message ID can be guessed.</summary>
    public bool HasAcknowledged => _rateLimiter.HasAcknowledged;

    /// <summary>The number of times that <see cref="ObserverAllowance">credit</see> was canceled.</summary>
    public uint CreditEpoch { get; private set; }

    /// <summary>Whether the client has acknowledged a notification, and no acknowledgement since then was wrong.</summary>
    public bool IsTrusted => HasAcknowledged && _heardEpoch == CreditEpoch;

    /// <summary>Whether Resets are ignored, because too many of them matched no message.</summary>
    public bool IgnoresResets => Observing.Lane.Now < _deafUntil;

    public override bool IsBusy => _lasts > 0 && !IsGone;

    /// <summary>The messages to the client that are settled.</summary>
    public ref SettledMessages Settled => ref _settled;

    public override Observation Register(IncomingRequest request, Account account) =>
        new DatagramObservation(Observing, this, request) { Account = account };

    /// <summary>Sends the notification of an observation, now or after those that wait before it.</summary>
    public void Offer(DatagramObservation observation)
    {
        Enqueue(observation);
        Advance();
    }

    /// <summary>Sends waiting notifications as far as the window allows.</summary>
    /// <remarks>
    /// The end of an observation calls this method too. Then only the outer call continues: thousands of observations that end at once would overflow the
    /// stack otherwise.
    /// </remarks>
    public void Advance()
    {
        if (_isAdvancing) { return; }
        _isAdvancing = true;
        try { SendWaiting(); }
        finally { _isAdvancing = false; }
    }

    private void SendWaiting()
    {
        while (!IsGone && !Observing.Lane.HasEnded && TryPeek(out var observation))
        {
            if (Observing.Lane.Now < _delayedUntil)
            {
                Observing.Lane.WakeAt(this, _delayedUntil);
                return;
            }
            if (!observation.IsInFlight)
            {
                var isConfirmable = observation.IsConfirmableNext;
                if (!_rateLimiter.IsOpen(Observing.Lane.Now, isConfirmable, out var readyAt))
                {
                    Observing.Lane.WakeAt(this, readyAt);
                    return;
                }
                Dequeue();
                observation.Transmit(isConfirmable);
            }
            else { Dequeue(); }
        }
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        Advance();
    }

    public void Sent(bool isConfirmable)
    {
        if (isConfirmable) { _rateLimiter.Begin(); }
        else { _rateLimiter.Sent(Observing.Lane.Now); }
    }

    public void Acknowledged(long? roundTrip)
    {
        (_heardAt, _heardEpoch) = (Observing.Lane.Now, CreditEpoch);
        _rateLimiter.End();
        _rateLimiter.Acknowledged(roundTrip);
    }

    /// <summary>Sends a notification later, because no message ID is free.</summary>
    public void Delay(DatagramObservation observation)
    {
        Enqueue(observation);
        _delayedUntil = Observing.Lane.Now + WaitForMessageId;
        Observing.Lane.WakeAt(this, _delayedUntil);
    }

    /// <summary>Ends an observation with an error, which takes a place like other notifications until the client acknowledges it (RFC 7641, section 4.5.1).</summary>
    /// <param name="observation">The observation.</param>
    /// <param name="error">The error.</param>
    /// <param name="messageId">The message ID of the error.</param>
    /// <param name="transmissions">How often the error may be sent.</param>
    /// <param name="flight">The timer of the notification that the error replaces; <see langword="null"/> if none is in flight.</param>
    public void SendLast(DatagramObservation observation, CoapResponse error, MessageId messageId, int transmissions, Retransmission? flight)
    {
        var (lane, began) = (Observing.Lane, Observing.Lane.Now);
        _lasts++;
        if (flight is null) { _rateLimiter.Begin(); }
        End(observation);
        lane.Metrics[LaneCounters.Notifications]++;
        // Peers that never acknowledge must not fill the memory. Above the share of the account, the error is therefore sent once, without retransmission.
        var (answers, account) = (lane.Ledger.SeparateAnswers, observation.Account);
        if (!error.IsChallenge && answers.TryCharge(account) == Charge.Accepted)
        {
            var message = new OutgoingMessage(Key, observation.Compose(error, MessageType.Confirmable, messageId));
            new SeparateAnswer(lane, message, flight)
            {
                Charged = (answers, account),
                MaxTransmissions = transmissions,
                Ended = outcome => OnLastEnded(outcome != AnswerOutcome.Unheard || WasHeardSince(began)),
            }.Start(Observing.Notifications);
            return;
        }
        Observing.Notifications.Emit(new OutgoingMessage(Key, observation.Compose(error, MessageType.NonConfirmable, messageId)));
        lane.Settle(Key, messageId);    // no reply is expected
        _rateLimiter.Sent(lane.Now);
        OnLastEnded(isHeard: true);
    }

    /// <summary>Ends all observations of the client with an error. If there are many, the lane does other work in between.</summary>
    public void EndAll(CoapResponse error) => ForEach(observation => observation.EndWith(error));

    /// <summary>Cancels the credit of all observations if an acknowledgement matches none of the last messages.</summary>
    public void OnWrongAcknowledgement(MessageId messageId)
    {
        if (!_settled.TryFind(messageId, out _)) { CreditEpoch++; }
    }

    /// <summary>Ends the observation whose earlier notification a Reset rejects. Counts the Reset if it matches none of the last messages.</summary>
    public void OnWrongReset(MessageId messageId)
    {
        if (_settled.TryFind(messageId, out var sender))
        {
            sender?.OnReset();
            return;
        }
        var now = Observing.Lane.Now;
        if (now < _deafUntil) { return; }
        if (now >= _wrongResetsUntil) { (_wrongResets, _wrongResetsUntil) = (0, now + CountingTime); }
        if (++_wrongResets == MostWrongResets) { (_wrongResetsUntil, _deafUntil) = (0, now + DeafTime); }
    }

    /// <summary>Releases the place of a confirmable notification that was given up.</summary>
    public void Abandoned() => _rateLimiter.End();

    /// <summary>Returns <see langword="true"/> if the client has acknowledged a notification since a time.</summary>
    public bool WasHeardSince(long time) => _heardAt >= time;

    private void OnLastEnded(bool isHeard)
    {
        _lasts--;
        _rateLimiter.End();
        if (isHeard) { Advance(); }
        else { RemoveAll(); }
        LeaveIfUnused();
    }

    public override void Forget() => Observing.Lane.Unschedule(this);
}
