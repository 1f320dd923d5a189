namespace CoAP.Dtls;

/// <summary>The retransmission timer of the flights of a handshake (RFC 6347, section 4.2.4.1). The time doubles with each retransmission.</summary>
/// <remarks>
/// Behind a flight that was repeated, the next one begins with the time that the former has reached, so that a slow network does not get each flight twice.
/// A mutable structure. A field of this type must not be readonly.
/// </remarks>
/// <param name="first">The time until the first retransmission.</param>
/// <param name="most">The number of retransmissions.</param>
internal struct FlightTimer(TimeSpan first, int most)
{
    private static readonly long Longest = TimeSpan.FromSeconds(60).Ticks;

    private long _wait = first.Ticks;
    private int _left;

    /// <summary>The time of the next retransmission, or of the end; <see cref="long.MaxValue"/> if nothing is outstanding.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>The number of retransmissions of the current flight.</summary>
    public readonly int Retransmissions => Deadline == long.MaxValue ? 0 : most - _left;

    /// <summary>Starts the timer. Called when a flight is sent that the peer must answer.</summary>
    public void Start(long now)
    {
        if (_left == most) { _wait = first.Ticks; }
        (_left, Deadline) = (most, now + _wait);
    }

    /// <summary>Stops the timer. Called when the handshake has ended.</summary>
    public void Stop() => Deadline = long.MaxValue;

    /// <summary>Called when the deadline has passed. Returns whether to send the flight again; <see langword="false"/> if no retransmission is left.</summary>
    public bool TryRetransmit(long now)
    {
        if (_left == 0) { return false; }
        _left--;
        _wait = Math.Min(2 * _wait, Longest);
        Deadline = now + _wait;
        return true;
    }
}
