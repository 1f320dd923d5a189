namespace CoAP.Observing;

/// <summary>The client side of an observation: which notifications are new and fresh, and when to register again (RFC 7641, section 3).</summary>
/// <remarks>
/// <code>
/// Registering ──2.xx with Observe──► Active ──Max-Age──► Stale ──random wait──► ReRegistering ──┐
///                                      ▲                                          │ failed: back-off
///                                      └──────────2.xx with Observe───────────────┴─────────────┘
/// any ──response without Observe, error, cancellation──► Ended
/// </code>
/// A client does not register again if the server answers without Observe: that would be polling. Times are ticks of 100 ns, chances are 0 to 1.
/// Not safe for concurrent use.
/// </remarks>
/// <param name="timing">The times of registrations.</param>
internal sealed class Subscription(SubscriptionTiming timing)
{
    private const long Never = long.MaxValue;
    private const int MostDoublings = 30;

    private NotificationFilter _filter;
    private long _staleAt = Never;
    private long _nextAt = Never;
    private long _registeredAt;
    private int _failures;
    private bool _isReliable;
    private bool _hasHeard;     // a newer notification has arrived since the last registration was sent

    public ObservationState State { get; private set; } = ObservationState.Registering;

    /// <summary>The reason why the observation has ended, if it has.</summary>
    public ObservationEnd? EndReason { get; private set; }

    /// <summary>Whether the server has ever confirmed a registration.</summary>
    public bool WasActive { get; private set; }

    /// <summary>Whether a registration is outstanding.</summary>
    public bool IsRegistering { get; private set; }

    /// <summary>The time at which <see cref="Poll"/> has something to do.</summary>
    public long Deadline => Math.Min(_staleAt, _nextAt);

    /// <summary>Called when a registration is sent, on a channel that preserves the order of messages or on one that does not.</summary>
    public void Registered(bool isReliable, long now)
    {
        if (State == ObservationState.Ended) { return; }
        (_isReliable, _registeredAt, IsRegistering, _hasHeard) = (isReliable, now, true, false);
        (_staleAt, _nextAt) = (Never, Never);
        State = WasActive ? ObservationState.ReRegistering : ObservationState.Registering;
    }

    /// <summary>Called when a response with the token has arrived.</summary>
    /// <param name="isSuccess">Whether its code is 2.xx.</param>
    /// <param name="sequence">The value of its Observe option, if it has one.</param>
    /// <param name="maxAge">Its Max-Age in ticks.</param>
    /// <param name="origin">The way in which the response arrived.</param>
    /// <param name="now">The time.</param>
    /// <param name="chance">A random number that spreads the clients of a server.</param>
    public NotificationVerdict Receive(bool isSuccess, uint? sequence, long maxAge, NotificationOrigin origin, long now, double chance)
    {
        if (State == ObservationState.Ended) { return NotificationVerdict.Older; }
        if (!isSuccess || sequence is null)
        {
            End(isSuccess ? ObservationEnd.NotObserved : ObservationEnd.ErrorResponse);
            return NotificationVerdict.Last;
        }
        IsRegistering &= origin == NotificationOrigin.Notified;
        if (!_isReliable && !TryPass(sequence.Value, origin, now))
        {
            if (!IsRegistering && State == ObservationState.ReRegistering) { _nextAt = now + RetryWait(chance); }
            return NotificationVerdict.Older;
        }
        Refresh(maxAge, now, chance);
        return NotificationVerdict.Newer;
    }

    /// <summary>Called when a registration has failed. Returns whether it will be repeated; the first one is not.</summary>
    public bool Fail(long now, double chance)
    {
        IsRegistering = false;
        if (State == ObservationState.Ended) { return false; }
        if (!WasActive)
        {
            End(ObservationEnd.Failed);
            return false;
        }
        // A notification that has arrived meanwhile outweighs the failure.
        if (State == ObservationState.Active) { return true; }
        State = ObservationState.ReRegistering;
        _staleAt = Never;
        _nextAt = now + RetryWait(chance);
        return true;
    }

    /// <summary>
    /// Called when a notification was rejected, after which the server may have removed the registration (RFC 7641, section 3.6).
    /// </summary>
    /// <remarks>Further ones do not put the next registration off.</remarks>
    public void Reject(long now, double chance)
    {
        IsRegistering = false;
        if (State == ObservationState.Ended || (State == ObservationState.ReRegistering && _nextAt != Never)) { return; }
        State = ObservationState.ReRegistering;
        _staleAt = Never;
        _nextAt = now + RetryWait(chance);
    }

    /// <summary>
    /// Called when the server has lost the registration. The client registers again soon. Returns <see langword="false"/> if there is nothing to lose, or a
    /// registration is outstanding.
    /// </summary>
    public bool Forget(long now, double chance)
    {
        if (!WasActive || IsRegistering || State is ObservationState.Ended or ObservationState.ReRegistering) { return false; }
        (State, _staleAt, _nextAt) = (ObservationState.Stale, Never, now + RetryWait(chance));
        _failures = 0;
        return true;
    }

    /// <summary>Called when the channel has ended. Returns how long to wait before opening the next one.</summary>
    public long Detach(double chance)
    {
        IsRegistering = false;
        (_staleAt, _nextAt) = (Never, Never);
        _filter = default;
        if (WasActive && State != ObservationState.Ended) { State = ObservationState.ReRegistering; }
        return RetryWait(chance);
    }

    public SubscriptionStep Poll(long now)
    {
        if (State == ObservationState.Active && now >= _staleAt)
        {
            State = ObservationState.Stale;
            _staleAt = Never;
        }
        if (now < _nextAt) { return SubscriptionStep.Wait; }
        _nextAt = Never;
        if (State == ObservationState.ReRegistering) { return SubscriptionStep.Retry; }
        if (!_isReliable) { return SubscriptionStep.Register; }
        _nextAt = now + timing.MinRegistrationInterval;
        return SubscriptionStep.Probe;
    }

    /// <summary>Ends the observation. The first reason counts.</summary>
    public void End(ObservationEnd reason)
    {
        if (State == ObservationState.Ended) { return; }
        (State, EndReason, IsRegistering) = (ObservationState.Ended, reason, false);
        (_staleAt, _nextAt) = (Never, Never);
    }

    // A restarted server may count from the beginning. A response that was overtaken by notifications repeats an old one.
    private bool TryPass(uint sequence, NotificationOrigin origin, long now)
    {
        if (origin != NotificationOrigin.Piggybacked || _hasHeard) { return _filter.TryPass(sequence, now); }
        _filter.Restart(sequence, now);
        return true;
    }

    private void Refresh(long maxAge, long now, double chance)
    {
        State = ObservationState.Active;
        WasActive = _hasHeard = true;
        _failures = 0;
        _staleAt = now + Math.Min(maxAge, timing.NotificationTimeout);
        var wait = timing.MinRegistrationDelay + (long)(chance * (timing.MaxRegistrationDelay - timing.MinRegistrationDelay));
        _nextAt = Math.Max(_staleAt + wait, _registeredAt + timing.MinRegistrationInterval);
    }

    // Between half and all of the nominal wait, so that the clients of a restarted server do not register all at once.
    private long RetryWait(double chance)
    {
        var nominal = Math.Min(timing.MaxRetryDelay, timing.InitialRetryDelay * (double)(1L << Math.Min(_failures++, MostDoublings)));
        return (long)(nominal * (1 + chance) / 2);
    }
}
