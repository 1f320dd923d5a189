namespace CoAP.Observing;

/// <summary>Determines which notifications of an observation must be confirmable (RFC 7641, section 4.5).</summary>
/// <remarks>A mutable structure. A field of this type must not be readonly.</remarks>
/// <param name="now">The time of the registration.</param>
internal struct ConfirmationSchedule(long now)
{
    private long _confirmedAt = now;
    private int _unconfirmed;

    /// <summary>Returns whether the next notification must be confirmable.</summary>
    /// <param name="now">The time.</param>
    /// <param name="every">The number of notifications of which one is confirmable.</param>
    /// <param name="within">The longest time without a confirmable notification.</param>
    public readonly bool IsDue(long now, int every, long within) => _unconfirmed >= every - 1 || now >= DueAt(within);

    /// <summary>Returns the time at which the presence of the client has to be checked.</summary>
    public readonly long DueAt(long within) => _confirmedAt + within;

    /// <summary>Called when a non-confirmable notification was sent.</summary>
    public void SentUnconfirmed() => _unconfirmed++;

    /// <summary>Called when a notification was acknowledged.</summary>
    public void Confirmed(long now) => (_confirmedAt, _unconfirmed) = (now, 0);
}
