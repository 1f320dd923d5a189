namespace CoAP.Observing;

/// <summary>Determines when a client that gets no notifications is asked whether it still exists (RFC 7641, section 4.5).</summary>
/// <remarks>A mutable structure. A field of this type must not be readonly.</remarks>
/// <param name="settings">The intervals.</param>
internal struct PresenceCheck(ServerObservationSettings settings)
{
    private bool _isEarly;      // whether a trusted client is asked later

    /// <summary>The time of the next check.</summary>
    public long At { get; private set; } = long.MaxValue;

    /// <summary>
    /// Schedules the check after an acknowledgement. Observations of forged addresses must not occupy the list for a day. A peer that guesses message IDs
    /// soon acknowledges a wrong one.
    /// </summary>
    public void Schedule(long now, bool isUnlimited)
    {
        _isEarly = !isUnlimited && settings.UnverifiedTimeout < settings.ConfirmableInterval;
        At = now + (_isEarly ? settings.UnverifiedTimeout : settings.ConfirmableInterval).Ticks;
    }

    /// <summary>Returns <see langword="true"/> if the client must be asked now. Otherwise, schedules the check for later.</summary>
    public bool IsDue(long now, bool isTrusted)
    {
        var isLater = _isEarly && isTrusted;
        (_isEarly, At) = (false, isLater ? now + (settings.ConfirmableInterval - settings.UnverifiedTimeout).Ticks : long.MaxValue);
        return !isLater;
    }
}
