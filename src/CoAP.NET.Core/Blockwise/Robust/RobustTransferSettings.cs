namespace CoAP;

/// <summary>The times and limits of robust block-wise transfers in non-confirmable messages (RFC 9177, section 7.2).</summary>
/// <remarks>
/// Both sides must use the same <see cref="MaxPayloads"/>, otherwise there are delays in one direction. Values that follow from others do so
/// until they are set. Immutable, safe for concurrent use.
/// </remarks>
public sealed record RobustTransferSettings
{
    private static readonly TimeSpan ShortestTimeout = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(1);

    private readonly TimeSpan? _nonReceiveTimeout;
    private readonly TimeSpan? _nonProbingWait;
    private readonly TimeSpan? _nonPartialTimeout;

    /// <summary>The values that RFC 9177, section 7.2 gives.</summary>
    public static RobustTransferSettings Default { get; } = new();

    /// <summary>How many blocks go out at once before the peer is heard or waited for. 10 by default, 1 to 256 (MAX_PAYLOADS).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 256.</exception>
    public int MaxPayloads { get; init => field = Bound.Within(value, 1, 256); } = 10;

    /// <summary>The shortest time between two sets of blocks. 2 seconds by default, 1 millisecond to 1 day (NON_TIMEOUT).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan NonTimeout { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromSeconds(2);

    /// <summary>How far chance may lengthen <see cref="NonTimeout"/> to NON_TIMEOUT_RANDOM. 1.5 by default, 1 to 4 (ACK_RANDOM_FACTOR).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, more than 4, or not a number.</exception>
    public double AckRandomFactor { get; init => field = Bound.Within(value, 1, 4); } = 1.5;

    /// <summary>How often missing blocks are asked for without an answer before the body is given up. 4 by default, 0 to 20 (NON_MAX_RETRANSMIT).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 20.</exception>
    public int NonMaxRetransmit { get; init => field = Bound.Within(value, 0, 20); } = 4;

    /// <summary>The longest time a datagram is expected to be on its way. 100 seconds by default (RFC 7252, section 4.8.2, MAX_LATENCY).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan MaxLatency { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(100);

    /// <summary>
    /// How long a missing block is waited for before it is asked for; doubles with each time it is asked for in vain. Twice <see cref="NonTimeout"/>
    /// unless set, 4 seconds by default; at least one second longer than NON_TIMEOUT_RANDOM can be (NON_RECEIVE_TIMEOUT).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    /// <remarks>A shorter time than that last one is taken for it, so that the sender can begin its next set first.</remarks>
    public TimeSpan NonReceiveTimeout
    {
        get => Longer(_nonReceiveTimeout ?? 2 * NonTimeout, (NonTimeout * AckRandomFactor) + Margin);
        init => _nonReceiveTimeout = Bound.Within(value, ShortestTimeout, LongestTime);
    }

    /// <summary>
    /// The most that PROBING_RATE makes a body wait for another one that was not answered. Computed from the others unless set, 248 seconds by
    /// default (NON_PROBING_WAIT).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan NonProbingWait
    {
        get => _nonProbingWait ?? Span + (2 * MaxLatency) + (NonTimeout * AckRandomFactor);
        init => _nonProbingWait = Bound.Within(value, TimeSpan.Zero, LongestTime);
    }

    /// <summary>How long a body in parts is kept when nothing more comes. Computed from the others unless set, 247 seconds by default (NON_PARTIAL_TIMEOUT).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan NonPartialTimeout
    {
        get => _nonPartialTimeout ?? Span + (2 * MaxLatency) + NonTimeout;
        init => _nonPartialTimeout = Bound.Within(value, ShortestTimeout, LongestTime);
    }

    /// <summary>Whether a server takes requests with Q-Block options over datagrams; true by default. Otherwise they are answered 4.02 or rejected.</summary>
    public bool AcceptsFromPeers { get; init; } = true;

    /// <summary>
    /// How many collected bodies of requests are remembered on one lane after their end, so that a block that comes again gets the same answer. 1,024
    /// by default, 0 to 1,000,000.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 1,000,000.</exception>
    public int MaxFinishedBodies { get; init => field = Bound.Within(value, 0, 1_000_000); } = 1024;

    /// <summary>How long it is remembered whether a peer supports robust transfers. 1 hour by default, 1 millisecond to 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan SupportLifetime { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromHours(1);

    private TimeSpan Span => NonTimeout * (((1 << NonMaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>The time between two sets of one body, in ticks (NON_TIMEOUT_RANDOM).</summary>
    /// <param name="chance">0 to 1.</param>
    internal long NonTimeoutRandom(double chance) => (long)(NonTimeout.Ticks * (1 + (chance * (AckRandomFactor - 1))));

    private static TimeSpan Longer(TimeSpan left, TimeSpan right) => left > right ? left : right;
}
