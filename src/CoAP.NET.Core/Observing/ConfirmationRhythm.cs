namespace CoAP.Observing;

/// <summary>Which notifications of one observation have to be confirmable although the others need not be (RFC 7641, section 4.5).</summary>
/// <remarks>A mutable structure: keep it in a field that is not read-only.</remarks>
/// <param name="now">When the observation was registered.</param>
internal struct ConfirmationRhythm(long now)
{
    private long _confirmedAt = now;
    private int _unconfirmed;

    /// <summary>Whether the next notification is to be confirmable.</summary>
    /// <param name="now">The time.</param>
    /// <param name="every">One in so many.</param>
    /// <param name="within">The longest time without one.</param>
    public readonly bool IsDue(long now, int every, long within) => _unconfirmed >= every - 1 || now >= DueAt(within);

    /// <summary>When it is time to ask whether the client is still there.</summary>
    public readonly long DueAt(long within) => _confirmedAt + within;

    /// <summary>A non-confirmable notification was sent.</summary>
    public void SentUnconfirmed() => _unconfirmed++;

    /// <summary>A notification was acknowledged.</summary>
    public void Confirmed(long now) => (_confirmedAt, _unconfirmed) = (now, 0);
}
