using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>A client with observations over datagrams. At most NSTART notifications to it are in flight (RFC 7641, section 4.5.1).</summary>
internal sealed class DatagramObserverPeer(ObserverRegistry registry, in ChannelKey key) : ObserverPeer(registry, key), IMovableDeadline
{
    // With so few guesses in each period, an attacker needs hours to find one of 65,536 message IDs. An honest client sends few wrong Resets.
    private const int MostWrongResets = 16;
    private static readonly long CountingTime = TimeSpan.FromMinutes(10).Ticks;
    private static readonly long DeafTime = TimeSpan.FromSeconds(10).Ticks;

    private readonly NotificationRateLimiter _rateLimiter = new(registry.Exchanges.Transmission.NStart);
    private long _heardAt = long.MinValue;
    private uint _heardEpoch;
    private int _wrongResets;
    private long _wrongResetsUntil;
    private long _deafUntil;

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Whether the client has acknowledged a notification. This does not verify its address, because a message ID can be guessed.</summary>
    public bool IsProven => _rateLimiter.IsProven;

    /// <summary>The number of times that <see cref="ObserverAllowance">credit</see> was canceled.</summary>
    public uint CreditEpoch { get; private set; }

    /// <summary>Whether the client has acknowledged a notification, and no acknowledgement since then was wrong.</summary>
    public bool IsTrusted => IsProven && _heardEpoch == CreditEpoch;

    /// <summary>Whether Resets are ignored, because too many of them matched no message.</summary>
    public bool IgnoresResets => Registry.Lane.Now < _deafUntil;

    public override Observation Register(IncomingRequest request, Account account) =>
        new DatagramObservation(Registry, this, request) { Account = account };

    /// <summary>Sends the notification of an observation, now or after those that wait before it.</summary>
    public void Offer(DatagramObservation observation)
    {
        Enqueue(observation);
        Advance();
    }

    /// <summary>Sends waiting notifications as far as the window allows.</summary>
    public void Advance()
    {
        while (!IsGone && !Registry.Lane.HasEnded && TryPeek(out var next))
        {
            var observation = (DatagramObservation)next;
            if (!observation.IsInFlight)
            {
                var isConfirmable = observation.IsConfirmableNext;
                if (!_rateLimiter.IsOpen(Registry.Lane.Now, isConfirmable, out var readyAt))
                {
                    Registry.Lane.WakeAt(this, readyAt);
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
        else { _rateLimiter.Sent(Registry.Lane.Now); }
    }

    public void Acknowledged(long? roundTrip)
    {
        (_heardAt, _heardEpoch) = (Registry.Lane.Now, CreditEpoch);
        _rateLimiter.End();
        _rateLimiter.Acknowledged(roundTrip);
    }

    /// <summary>Cancels the credit of all observations, because an acknowledgement matched no message.</summary>
    public void CancelCredit() => CreditEpoch++;

    /// <summary>Counts a Reset that matched no message.</summary>
    public void OnWrongReset()
    {
        var now = Registry.Lane.Now;
        if (now < _deafUntil) { return; }
        if (now >= _wrongResetsUntil) { (_wrongResets, _wrongResetsUntil) = (0, now + CountingTime); }
        if (++_wrongResets == MostWrongResets) { (_wrongResetsUntil, _deafUntil) = (0, now + DeafTime); }
    }

    /// <summary>Releases the place of a confirmable notification that was given up.</summary>
    public void Abandoned() => _rateLimiter.End();

    /// <summary>Returns <see langword="true"/> if the client has acknowledged a notification since a time.</summary>
    public bool WasHeardSince(long time) => _heardAt >= time;

    public override void Forget() => Registry.Lane.Unschedule(this);
}
