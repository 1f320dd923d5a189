namespace CoAP;

/// <summary>The limits and time-outs of a connection over a reliable transport (RFC 8323). The same for both sides of a connection.</summary>
/// <remarks>Immutable; safe to share between connections.</remarks>
public sealed record StreamSettings
{
    private const int SmallestMessageSize = 64;
    private const int BaseTokenLength = 8;

    /// <summary>The largest message that is taken, in bytes with the header; announced in the CSM. 65,536 by default, at least 64 (RFC 8323, section 5.3.1).</summary>
    /// <remarks>A larger request is answered 4.13 while its body is skipped; nothing of it is kept.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 bytes: the peer's own signals might not fit.</exception>
    public int MaxMessageSize { get; init => field = Bound.AtLeast(value, SmallestMessageSize); } = 64 * 1024;

    /// <summary>The second limit, in bytes: a message above it is not skipped, the connection is aborted. 16 MiB by default.</summary>
    /// <remarks>Counts as <see cref="MaxMessageSize"/> where it is smaller than that: then whatever is too large aborts.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long AbortAboveSize { get; init => field = Bound.AtLeast(value, 0); } = 16 * 1024 * 1024;

    /// <summary>
    /// The payload in bytes from which on a message is written from where its payload lies, without a copy, and as the peer takes it. 65,536 by default,
    /// at least 4,096. The memory of such a payload must not change until it is written.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4,096.</exception>
    public int LargeMessageSize { get; init => field = Bound.AtLeast(value, 4096); } = 64 * 1024;

    /// <summary>The bytes that may wait to be sent on one connection. 64 MiB by default. A message that is larger by itself goes when nothing else waits.</summary>
    /// <remarks>Requests of ours wait for room. A peer whose requests are answered with more, and that does not read it, loses the connection.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxUnsentSize { get; init => field = Bound.AtLeast(value, 0); } = 64 << 20;

    /// <summary>The bytes of answers that a peer may leave unread. 256 KiB by default; above it nothing more of the peer is read until it has taken some.</summary>
    /// <remarks>What its requests before that are still answered with may go past it, up to <see cref="MaxUnsentSize"/>.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxUnreadAnswers { get; init => field = Bound.AtLeast(value, 0); } = 256 * 1024;

    /// <summary>The longest token taken in requests, in bytes, 8 to 65,804. 8 by default; only more is announced (RFC 8974, section 2.2.1).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 8 or more than 65,804.</exception>
    public int MaxTokenLength { get; init => field = Bound.Within(value, BaseTokenLength, Token.MaxLength); } = BaseTokenLength;

    /// <summary>The requests of the peer that may be without a response. 1,024 by default; with so many nothing more of the connection is read.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxRequestsInProgress { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>Whether the CSM tells the peer that block-wise transfers are understood (RFC 8323, section 5.3.2). On by default.</summary>
    /// <remarks>With <see cref="MaxMessageSize"/> over 1,152 it announces BERT as well (RFC 8323, section 6).</remarks>
    public bool AnnounceBlockWise { get; init; } = true;

    /// <summary>How long the peer's first message, its CSM, may take before the connection is aborted. 10 seconds by default (RFC 8323, section 5.3).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan CsmTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long a connection with nothing outstanding is kept; then it is released. 5 minutes by default, <see langword="null"/> for ever
    /// (RFC 8323, section 3).
    /// </summary>
    /// <remarks>
    /// Whatever the peer sends begins the time anew, an Empty message or a Ping too, but not the answer to a Ping of ours. A request in
    /// progress in either direction and an observation hold the connection.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? IdleTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>How long the peer may be silent before a Ping asks whether it is there. <see langword="null"/>, the default, for never (RFC 8323, section 5.4).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? PingInterval { get; init => field = Bound.Positive(value); }

    /// <summary>How long the peer may stay silent after the Ping of <see cref="PingInterval"/> before the connection is closed. 30 seconds by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan PingTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>How long one message may take from its first byte to its last before the connection is aborted. 60 seconds by default.</summary>
    /// <remarks>Keeps peers that send a byte now and then from holding on to memory.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan MessageTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(60);

    /// <summary>How long a connection is kept after a Release for what is outstanding and for the peer to close it. 30 seconds by default (RFC 8323, section 5.5).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan ReleaseTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>The size above which nothing is skipped any more.</summary>
    internal long EffectiveAbortAboveSize => Math.Max(AbortAboveSize, MaxMessageSize);
}
