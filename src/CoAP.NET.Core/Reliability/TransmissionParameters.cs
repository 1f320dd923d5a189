using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The times and limits of retransmission, matching and deduplication (RFC 7252, section 4.8).</summary>
/// <remarks>
/// Both endpoints should use the same values (RFC 7252, section 4.8.1), because a receiver forgets a message after the
/// <see cref="ExchangeLifetime"/> that it computes from its own values. Immutable and safe for concurrent use.
/// </remarks>
public sealed record TransmissionParameters
{
    private static readonly TimeSpan ShortestTimeout = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);

    private readonly TimeSpan? _processingDelay;

    /// <summary>The values of RFC 7252, section 4.8.</summary>
    public static TransmissionParameters Default { get; } = new();

    /// <summary>The shortest time before the first retransmission (ACK_TIMEOUT). Default: 2 s; 1 ms to 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan AckTimeout { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromSeconds(2);

    /// <summary>The largest random factor of <see cref="AckTimeout"/> (ACK_RANDOM_FACTOR). Default: 1.5; 1 to 4.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, more than 4, or not a number.</exception>
    public double AckRandomFactor { get; init => field = Bound.Within(value, 1, 4); } = 1.5;

    /// <summary>The number of retransmissions of a confirmable message (MAX_RETRANSMIT). Default: 4; 0 to 20.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 20.</exception>
    public int MaxRetransmit { get; init => field = Bound.Within(value, 0, 20); } = 4;

    /// <summary>The number of exchanges with one peer that may be outstanding (RFC 7252, section 4.7, NSTART). Default: 1; 1 to 32,768.</summary>
    /// <remarks>
    /// A confirmable request is outstanding until it is acknowledged, answered or given up. A non-confirmable one is outstanding until it is answered,
    /// but at most for <see cref="AckTimeout"/> times <see cref="AckRandomFactor"/>; after that, only <see cref="ProbingRate"/> delays the next one.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 32,768.</exception>
    public int NStart { get; init => field = Bound.Within(value, 1, 32_768); } = 1;

    /// <summary>The time over which responses to a multicast request are spread (RFC 7252, section 8.2, DEFAULT_LEISURE). Default: 5 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan DefaultLeisure { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(5);

    /// <summary>The average data rate to a peer that does not respond, in bytes per second (RFC 7252, section 4.7, PROBING_RATE). Default: 1;
    /// 0.001 to 1,000,000,000.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0.001, more than 1,000,000,000, or not a number.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public double ProbingRate { get; init => field = Bound.Within(value, 0.001, 1_000_000_000); } = 1;

    /// <summary>The longest time that a datagram takes to arrive (RFC 7252, section 4.8.2, MAX_LATENCY). Default: 100 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxLatency { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(100);

    /// <summary>The time that a node takes to acknowledge a confirmable message (RFC 7252, section 4.8.2, PROCESSING_DELAY). Default:
    /// <see cref="AckTimeout"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ProcessingDelay
    {
        get => _processingDelay ?? AckTimeout;
        init => _processingDelay = Bound.Within(value, TimeSpan.Zero, LongestTime);
    }

    /// <summary>The time from the first to the last transmission of a confirmable message (RFC 7252, section 4.8.2, MAX_TRANSMIT_SPAN). With default
    /// values: 45 s.</summary>
    public TimeSpan MaxTransmitSpan => AckTimeout * (((1 << MaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>The time from the first transmission of a confirmable message until its sender gives up (RFC 7252, section 4.8.2, MAX_TRANSMIT_WAIT).
    /// With default values: 93 s.</summary>
    public TimeSpan MaxTransmitWait => AckTimeout * (((2 << MaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>The time for which an unanswered non-confirmable request counts for <see cref="NStart"/>; the RFC does not define it (section 4.7).</summary>
    internal TimeSpan NonConfirmableWait => AckTimeout * AckRandomFactor;

    /// <summary>The longest round trip (RFC 7252, section 4.8.2, MAX_RTT). With default values: 202 s.</summary>
    public TimeSpan MaxRoundTrip => (2 * MaxLatency) + ProcessingDelay;

    /// <summary>The time from the first transmission of a confirmable message until its message ID may be used again (RFC 7252, section 4.8.2,
    /// EXCHANGE_LIFETIME). With default values: 247 s.</summary>
    /// <remarks>At least <see cref="MaxTransmitWait"/>, which exceeds the sum in the RFC if the last wait is longer than a round trip.</remarks>
    public TimeSpan ExchangeLifetime => new(Math.Max((MaxTransmitSpan + MaxRoundTrip).Ticks, MaxTransmitWait.Ticks));

    /// <summary>The time from sending a non-confirmable message until it can be forgotten (RFC 7252, section 4.8.2, NON_LIFETIME, for messages that
    /// are sent several times). With default values: 145 s.</summary>
    public TimeSpan NonLifetime => MaxTransmitSpan + MaxLatency;
}
