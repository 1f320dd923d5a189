using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The times and limits of robust block-wise transfers in non-confirmable messages (RFC 9177, section 7.2).</summary>
/// <remarks>
/// Both endpoints must use the same <see cref="MaxPayloads"/>, otherwise one direction is delayed. A value that is computed from others changes
/// with them until it is set. Immutable and safe for concurrent use.
/// </remarks>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record RobustTransferSettings
{
    private static readonly TimeSpan ShortestTimeout = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(1);

    private readonly TimeSpan? _nonReceiveTimeout;
    private readonly TimeSpan? _nonProbingWait;
    private readonly TimeSpan? _nonPartialTimeout;

    /// <summary>The values of RFC 9177, section 7.2.</summary>
    public static RobustTransferSettings Default { get; } = new();

    /// <summary>The number of blocks that are sent without waiting for the peer (MAX_PAYLOADS). Default: 10; 1 to 256.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 256.</exception>
    public int MaxPayloads { get; init => field = Bound.Within(value, 1, 256); } = 10;

    /// <summary>The shortest time between two sets of blocks (NON_TIMEOUT). Default: 2 s; 1 ms to 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan NonTimeout { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromSeconds(2);

    /// <summary>The largest random factor of <see cref="NonTimeout"/> (ACK_RANDOM_FACTOR). Default: 1.5; 1 to 4.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1, more than 4, or not a number.</exception>
    public double AckRandomFactor { get; init => field = Bound.Within(value, 1, 4); } = 1.5;

    /// <summary>The number of unanswered requests for missing blocks before the body is given up (NON_MAX_RETRANSMIT). Default: 4; 0 to 20.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 20.</exception>
    public int NonMaxRetransmit { get; init => field = Bound.Within(value, 0, 20); } = 4;

    /// <summary>The longest time that a datagram takes to arrive (RFC 7252, section 4.8.2, MAX_LATENCY). Default: 100 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan MaxLatency { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestTime); } = TimeSpan.FromSeconds(100);

    /// <summary>The time after which a missing block is requested (NON_RECEIVE_TIMEOUT). It doubles with each unanswered request. Default: twice
    /// <see cref="NonTimeout"/>, which is 4 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    /// <remarks>At least one second longer than the longest NON_TIMEOUT_RANDOM, so that the sender can start its next set first.</remarks>
    public TimeSpan NonReceiveTimeout
    {
        get => new(Math.Max((_nonReceiveTimeout ?? 2 * NonTimeout).Ticks, ((NonTimeout * AckRandomFactor) + Margin).Ticks));
        init => _nonReceiveTimeout = Bound.Within(value, ShortestTimeout, LongestTime);
    }

    /// <summary>The longest time that PROBING_RATE delays a body after an unanswered one (NON_PROBING_WAIT). Default: computed, 248 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or longer than 1 day.</exception>
    public TimeSpan NonProbingWait
    {
        get => _nonProbingWait ?? Span + (2 * MaxLatency) + (NonTimeout * AckRandomFactor);
        init => _nonProbingWait = Bound.Within(value, TimeSpan.Zero, LongestTime);
    }

    /// <summary>The time for which an incomplete body is kept without new blocks (NON_PARTIAL_TIMEOUT). Default: computed, 247 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan NonPartialTimeout
    {
        get => _nonPartialTimeout ?? Span + (2 * MaxLatency) + NonTimeout;
        init => _nonPartialTimeout = Bound.Within(value, ShortestTimeout, LongestTime);
    }

    /// <summary>Whether a server accepts Q-Block options over datagrams. Default: <see langword="true"/>. Otherwise it answers 4.02 or rejects.</summary>
    public bool AcceptsFromPeers { get; init; } = true;

    /// <summary>The number of completed request bodies that a lane remembers, so that a repeated block gets the same response. Default: 1,024; 0 to
    /// 1,000,000.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 1,000,000.</exception>
    public int MaxFinishedBodies { get; init => field = Bound.Within(value, 0, 1_000_000); } = 1024;

    /// <summary>The time for which it is remembered whether a peer supports robust transfers. Default: 1 hour; 1 ms to 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Shorter than 1 millisecond or longer than 1 day.</exception>
    public TimeSpan SupportLifetime { get; init => field = Bound.Within(value, ShortestTimeout, LongestTime); } = TimeSpan.FromHours(1);

    private TimeSpan Span => NonTimeout * (((1 << NonMaxRetransmit) - 1) * AckRandomFactor);

    /// <summary>Returns the time between two sets of a body in ticks (NON_TIMEOUT_RANDOM).</summary>
    /// <param name="chance">A random number from 0 to 1.</param>
    internal long NonTimeoutRandom(double chance) => (long)(NonTimeout.Ticks * (1 + (chance * (AckRandomFactor - 1))));

    /// <summary>Returns the first block after the set of a block.</summary>
    internal int EndOfSet(int number) => number - (number % MaxPayloads) + MaxPayloads;
}
