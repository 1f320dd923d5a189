namespace CoAP;

/// <summary>The times and limits that govern how messages are repeated, matched and forgotten (RFC 7252, section 4.8).</summary>
/// <remarks>
/// Both sides of a conversation should use the same values (RFC 7252, section 4.8.1): a receiver forgets a message after the
/// <see cref="ExchangeLifetime"/> that it computes from its own. Immutable, safe for concurrent use.
/// </remarks>
public sealed record TransmissionParameters
{
    private static readonly TimeSpan ShortestTimeout = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);

    private readonly TimeSpan? _processingDelay;

    /// <summary>The values that RFC 7252, section 4.8 gives.</summary>
    public static TransmissionParameters Default { get; } = new();

    /// <summary>The shortest time before the first retransmission. 2 seconds by default, 1 millisecond to 1 day (ACK_TIMEOUT).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan AckTimeout { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromSeconds(2);

    /// <summary>How far chance may lengthen <see cref="AckTimeout"/>. 1.5 by default, 1 to 4 (ACK_RANDOM_FACTOR).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, more than 4, or not a number.</exception>
    public double AckRandomFactor { get; init => field = Bound.Within(value, 1, 4); } = 1.5;

    /// <summary>How often a confirmable message is sent again before its sender gives up. 4 by default, 0 to 20 (MAX_RETRANSMIT).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 20.</exception>
    public int MaxRetransmit { get; init => field = Bound.Within(value, 0, 20); } = 4;

    /// <summary>
    /// How many exchanges with one peer may be outstanding at once. 1 by default, 1 to 32,768
    /// (RFC 7252, section 4.7, NSTART).
    /// </summary>
    /// <remarks>
    /// A confirmable request is outstanding until it is acknowledged, answered or given up; a non-confirmable one until it is answered, but for no
    /// longer than <see cref="AckTimeout"/> times <see cref="AckRandomFactor"/>: from then on <see cref="ProbingRate"/> alone holds back the next.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 32,768.</exception>
    public int NStart { get; init => field = Bound.Within(value, 1, 32_768); } = 1;

    /// <summary>
    /// The time over which answers to a multicast request are spread. 5 seconds by default
    /// (RFC 7252, section 8.2, DEFAULT_LEISURE).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan DefaultLeisure { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The average data rate towards a peer that does not respond, in bytes per second. 1 by default, 0.001 to 1,000,000,000
    /// (RFC 7252, section 4.7, PROBING_RATE).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0.001, more than 1,000,000,000, or not a number.</exception>
    public double ProbingRate { get; init => field = Bound.Within(value, 0.001, 1_000_000_000); } = 1;

    /// <summary>
    /// The longest time a datagram is expected to be on its way. 100 seconds by default
    /// (RFC 7252, section 4.8.2, MAX_LATENCY).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan MaxLatency { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(100);

    /// <summary>
    /// The time a node takes to turn a confirmable message into an acknowledgement. <see cref="AckTimeout"/> unless set
    /// (RFC 7252, section 4.8.2, PROCESSING_DELAY).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan ProcessingDelay
    {
        get => _processingDelay ?? AckTimeout;
        init => _processingDelay = Bound.Within(value, TimeSpan.Zero, LongestTime);
    }

    /// <summary>
    /// From the first transmission of a confirmable message to its last. 45 seconds by default
    /// (RFC 7252, section 4.8.2, MAX_TRANSMIT_SPAN).
    /// </summary>
    public TimeSpan MaxTransmitSpan => AckTimeout * (((1 << MaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>
    /// From the first transmission of a confirmable message to the end of the wait for its acknowledgement. 93 seconds by default
    /// (RFC 7252, section 4.8.2, MAX_TRANSMIT_WAIT).
    /// </summary>
    public TimeSpan MaxTransmitWait => AckTimeout * (((2 << MaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>How long a non-confirmable request without a response counts against <see cref="NStart"/>; the RFC leaves it open (RFC 7252, section 4.7).</summary>
    internal TimeSpan NonConfirmableWait => AckTimeout * AckRandomFactor;

    /// <summary>The longest round trip. 202 seconds by default (RFC 7252, section 4.8.2, MAX_RTT).</summary>
    public TimeSpan MaxRoundTrip => (2 * MaxLatency) + ProcessingDelay;

    /// <summary>
    /// From the first transmission of a confirmable message to the time when everything about it can be forgotten, and its message ID
    /// used again. 247 seconds by default (RFC 7252, section 4.8.2, EXCHANGE_LIFETIME).
    /// </summary>
    /// <remarks>At least <see cref="MaxTransmitWait"/>, which is longer than the RFC's sum if the last wait exceeds a round trip.</remarks>
    public TimeSpan ExchangeLifetime
    {
        get
        {
            var lifetime = MaxTransmitSpan + MaxRoundTrip;
            return lifetime > MaxTransmitWait ? lifetime : MaxTransmitWait;
        }
    }

    /// <summary>
    /// From sending a non-confirmable message to the time when it can be forgotten. 145 seconds by default
    /// (RFC 7252, section 4.8.2, NON_LIFETIME, for messages sent several times).
    /// </summary>
    public TimeSpan NonLifetime => MaxTransmitSpan + MaxLatency;
}
