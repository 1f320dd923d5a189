namespace CoAP.Reliability;

/// <summary>The action that a <see cref="Retransmission"/> requires.</summary>
internal enum RetransmissionStep
{
    /// <summary>Nothing until <see cref="Retransmission.Deadline"/>.</summary>
    Wait,

    /// <summary>Send the same bytes again.</summary>
    Send,

    /// <summary>No acknowledgement arrived: the exchange has failed. Returned once.</summary>
    Fail,
}

/// <summary>The retransmission of one confirmable message (RFC 7252, section 4.2).</summary>
/// <remarks>
/// The nominal times are first + T, + 3T, + 7T, … for the initial timeout T, unless another <see cref="BackOff"/> is given. A late poll sends
/// once, however many times it missed, and the next one may catch up, but never within T, which is at least ACK_TIMEOUT. Nothing is sent after
/// MAX_TRANSMIT_SPAN; the message still waits for its acknowledgement until its nominal end.
/// A poll within T / 8 of its deadline is considered on time, because the clock is that inaccurate. Otherwise an ACK_RANDOM_FACTOR of 1, whose
/// last deadline is the end of the span, would always lose the last transmission.
/// Settled and failed are final. A mutable structure, so that an exchange needs no further object. A field of this type must not be readonly.
/// </remarks>
internal struct Retransmission(long now, long initialTimeout, int maxRetransmit, long maxTransmitSpan, BackOff? backOff = null)
{
    private readonly long _lastSend = now + maxTransmitSpan;
    private readonly BackOff _backOff = backOff ?? BackOff.Binary;
    private int _retransmitted;

    /// <summary>The time of the next poll, or <see cref="long.MaxValue"/> if there is nothing to wait for.</summary>
    public long Deadline { get; private set; } = now + Math.Min(initialTimeout, (backOff ?? BackOff.Binary).GiveUpAfter);

    /// <summary>The number of transmissions, including the first one.</summary>
    public readonly int Attempts => _retransmitted + 1;

    /// <summary>The time of the first transmission.</summary>
    public readonly long StartedAt { get; } = now;

    /// <summary>Whether the message was acknowledged, rejected, canceled or given up.</summary>
    public readonly bool IsSettled => Deadline == long.MaxValue;

    /// <summary>Returns a timeout between ACK_TIMEOUT and ACK_TIMEOUT * ACK_RANDOM_FACTOR.</summary>
    /// <param name="parameters">The transmission parameters of the peer.</param>
    /// <param name="chance">A random number from 0 to below 1.</param>
    public static long InitialTimeout(TransmissionParameters parameters, double chance) => Dither(parameters.AckTimeout.Ticks, parameters, chance);

    /// <summary>Starts with ACK_TIMEOUT and doubled waits (RFC 7252, section 4.2).</summary>
    public static Retransmission Fixed(long now, TransmissionParameters parameters, double chance) =>
        new(now, InitialTimeout(parameters, chance), parameters.MaxRetransmit, parameters.MaxTransmitSpan.Ticks);

    /// <summary>Starts with an estimated timeout and the back-off that it determines (draft-ietf-core-cocoa, section 4.2.1).</summary>
    public static Retransmission Adaptive(long now, long timeout, TransmissionParameters parameters, double chance) =>
        new(now, Dither(timeout, parameters, chance), parameters.MaxRetransmit, parameters.MaxTransmitSpan.Ticks, BackOff.Variable(timeout, parameters));

    /// <summary>Ends the retransmission: an acknowledgement or Reset with the message ID or a response with the token has arrived, or the caller no
    /// longer waits.</summary>
    public void Settle() => Deadline = long.MaxValue;

    public RetransmissionStep Poll(long now)
    {
        if (now < Deadline || IsSettled) { return RetransmissionStep.Wait; }
        if (_retransmitted < maxRetransmit && (now <= _lastSend || IsOnTime(now)))
        {
            _retransmitted++;
            Deadline = Math.Min(Math.Max(Nominal(_retransmitted + 1), now + initialTimeout), Latest);
            return RetransmissionStep.Send;
        }
        if (_retransmitted < maxRetransmit && now < End)
        {
            Deadline = End;
            return RetransmissionStep.Wait;
        }
        Settle();
        return RetransmissionStep.Fail;
    }

    private readonly bool IsOnTime(long now) => Deadline <= _lastSend && now - Deadline <= initialTimeout / 8;

    private readonly long Latest => _backOff.GiveUpAfter == long.MaxValue ? long.MaxValue - 1 : StartedAt + _backOff.GiveUpAfter;

    private readonly long End => Math.Min(Nominal(maxRetransmit + 1), Latest);

    private readonly long Nominal(int timeouts)
    {
        var (sum, wait) = (initialTimeout, initialTimeout);
        var longest = Math.Max(_backOff.LongestWait, initialTimeout);
        for (var i = 1; i < timeouts; i++)
        {
            wait = Math.Min(wait + (wait * (_backOff.Halves - 2) / 2), longest);
            sum += wait;
        }
        return StartedAt + sum;
    }

    private static long Dither(long timeout, TransmissionParameters parameters, double chance) =>
        timeout + (long)(timeout * (parameters.AckRandomFactor - 1) * chance);
}
