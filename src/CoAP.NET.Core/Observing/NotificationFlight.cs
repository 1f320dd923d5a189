using CoAP.Reliability;

namespace CoAP.Observing;

/// <summary>The action that a <see cref="NotificationFlight"/> requires.</summary>
internal enum FlightStep
{
    /// <summary>Nothing until the deadline.</summary>
    Wait,

    /// <summary>Send the same bytes again.</summary>
    SendAgain,

    /// <summary>Send the newest state in a message with a new ID.</summary>
    SendNewer,

    /// <summary>No acknowledgement arrived: the observation ends.</summary>
    GiveUp,
}

/// <summary>The one confirmable notification of an observation that is in flight (RFC 7641, section 4.5.2).</summary>
/// <remarks>
/// A newer state does not interrupt a transmission. It replaces the old one when that has timed out, and continues its counter and timeout. An
/// observation of a state that changes faster than the client answers is therefore given up as soon as one of a state that never changes.
/// A mutable structure. A field of this type must not be readonly.
/// </remarks>
internal struct NotificationFlight
{
    private Retransmission _retransmission;

    /// <summary>Whether a notification is in flight.</summary>
    public bool IsOut { get; private set; }

    /// <summary>The time of the next poll, while a notification is in flight.</summary>
    public readonly long Deadline => _retransmission.Deadline;

    /// <summary>Starts with the first transmission.</summary>
    /// <param name="now">The time.</param>
    /// <param name="parameters">The transmission parameters of the peer.</param>
    /// <param name="chance">A random number from 0 to below 1.</param>
    public void Begin(long now, TransmissionParameters parameters, double chance)
    {
        _retransmission = Retransmission.Fixed(now, parameters, chance);
        IsOut = true;
    }

    /// <param name="now">The time.</param>
    /// <param name="hasNewer">Whether the state has changed since the last transmission.</param>
    public FlightStep Poll(long now, bool hasNewer)
    {
        switch (_retransmission.Poll(now))
        {
            case RetransmissionStep.Send:
                return hasNewer ? FlightStep.SendNewer : FlightStep.SendAgain;
            case RetransmissionStep.Fail:
                IsOut = false;
                return FlightStep.GiveUp;
            default:
                return FlightStep.Wait;
        }
    }

    /// <summary>Ends the flight, because another message takes the place of the notification. Returns the timer, which continues with that message.</summary>
    public Retransmission Leave()
    {
        IsOut = false;
        return _retransmission;
    }

    /// <summary>Ends the flight.</summary>
    /// <returns>The round-trip time if the first transmission was acknowledged; otherwise it is ambiguous which one was.</returns>
    public long? End(long now)
    {
        IsOut = false;
        _retransmission.Settle();
        return _retransmission.Attempts == 1 ? now - _retransmission.StartedAt : null;
    }
}
