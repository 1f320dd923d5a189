using CoAP.Reliability;

namespace CoAP.Observing;

/// <summary>What a poll of a <see cref="NotificationFlight"/> asks for.</summary>
internal enum FlightStep
{
    /// <summary>Nothing until the deadline.</summary>
    Wait,

    /// <summary>Send the same bytes again.</summary>
    SendAgain,

    /// <summary>Send the newest state, in a message with an ID of its own.</summary>
    SendNewer,

    /// <summary>Nobody acknowledged: the observation ends.</summary>
    GiveUp,
}

/// <summary>The one confirmable notification of an observation that is in flight (RFC 7641, section 4.5.2).</summary>
/// <remarks>
/// A newer state does not interrupt an attempt: it takes the place of the old one when the attempt has timed out, and keeps the counter and the
/// time-out of what it replaces. So a state that changes faster than the client answers is given up as soon as one that never changes.
/// A mutable structure: keep it in a field that is not read-only.
/// </remarks>
internal struct NotificationFlight
{
    private Retransmission _retransmission;
    private long _sentAt;

    /// <summary>Whether a notification is in flight.</summary>
    public bool IsOut { get; private set; }

    /// <summary>When to poll; only while something is in flight.</summary>
    public readonly long Deadline => _retransmission.Deadline;

    /// <summary>The first transmission.</summary>
    /// <param name="now">The time.</param>
    /// <param name="parameters">The peer's parameters.</param>
    /// <param name="chance">From 0 to below 1.</param>
    public void Begin(long now, TransmissionParameters parameters, double chance)
    {
        var timeout = Retransmission.InitialTimeout(parameters, chance);
        _retransmission = new Retransmission(now, timeout, parameters.MaxRetransmit, parameters.MaxTransmitSpan.Ticks);
        _sentAt = now;
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

    /// <summary>The flight is over, one way or the other.</summary>
    /// <returns>The round-trip time, where it was acknowledged at the first attempt; otherwise nobody knows which one was.</returns>
    public long? End(long now)
    {
        IsOut = false;
        var attempts = _retransmission.Attempts;
        _retransmission.Settle();
        return attempts == 1 ? now - _sentAt : null;
    }
}
