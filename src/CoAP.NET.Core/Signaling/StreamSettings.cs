using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The limits and timeouts of connections over a reliable transport (RFC 8323), for clients and servers.</summary>
/// <remarks>Immutable. Connections can share an instance.</remarks>
public sealed record StreamSettings
{
    private const int SmallestMessageSize = 64;
    private const int BaseTokenLength = 8;

    /// <summary>The largest accepted message in bytes with the header, announced in the CSM. Default: 65,536; at least 64 (RFC 8323, section 5.3.1).</summary>
    /// <remarks>A larger request is answered with 4.13 while its body is skipped without being stored.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 bytes: the signals of the peer might not fit.</exception>
    public int MaxMessageSize { get; init => field = Bound.AtLeast(value, SmallestMessageSize); } = 64 * 1024;

    /// <summary>The size in bytes above which a message is not skipped but aborts the connection. Default: 16 MiB.</summary>
    /// <remarks>
    /// If the value is smaller than <see cref="MaxMessageSize"/>, every message above that limit aborts the connection. Use 0 if you want this.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long AbortAboveSize { get; init => field = Bound.AtLeast(value, 0); } = 16 * 1024 * 1024;

    /// <summary>The size in bytes from which on a payload is sent without a copy, in parts as the peer accepts them. Default: 65,536; at least 4,096.</summary>
    /// <remarks>The memory of such a payload must not change until it is sent.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4,096.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int LargeMessageSize { get; init => field = Bound.AtLeast(value, 4096); } = 64 * 1024;

    /// <summary>The number of bytes that may wait to be sent on one connection. Default: 16 MiB. A larger message is sent when nothing else waits.</summary>
    /// <remarks>
    /// Our requests wait for room. While a peer leaves more responses unread, a large response to an earlier request becomes an error: 5.00 for POST
    /// and PATCH, whose handlers have run, and 5.03 for other methods.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long MaxUnsentSize { get; init => field = Bound.AtLeast(value, 0); } = 16 << 20;

    /// <summary>The number of response bytes that a peer may leave unread. Default: 256 KiB. Above it, nothing is read from the peer until it reads.</summary>
    /// <remarks>Responses to its earlier requests may exceed this, up to <see cref="MaxUnsentSize"/>.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxUnreadSize { get; init => field = Bound.AtLeast(value, 0); } = 256 * 1024;

    /// <summary>The longest accepted token of requests in bytes, 8 to 65,804. Default: 8; only larger values are announced (RFC 8974, section 2.2.1).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 8 or more than 65,804.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxTokenLength { get; init => field = Bound.Within(value, BaseTokenLength, Token.MaxLength); } = BaseTokenLength;

    /// <summary>The number of requests of the peer that may be unanswered. Default: 1,024. At this number, nothing more is read from the connection.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxRequestsInProgress { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>Whether the CSM announces block-wise transfers (RFC 8323, section 5.3.2). Default: <see langword="true"/>.</summary>
    /// <remarks>With a <see cref="MaxMessageSize"/> above 1,152, this also announces BERT (RFC 8323, section 6).</remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AnnouncesBlockWise { get; init; } = true;

    /// <summary>The time within which the CSM of the peer must arrive before the connection is aborted. Default: 10 s (RFC 8323, section 5.3).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan CsmTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>The time after which a connection with nothing outstanding is released. Default: 5 minutes; <see langword="null"/> for never
    /// (RFC 8323, section 3).</summary>
    /// <remarks>
    /// Every message of the peer restarts the time, even an Empty message or a Ping, but not the answer to our own Ping. A request in progress in
    /// either direction or an observation keeps the connection. If there is one, and no <see cref="PingInterval"/>, a peer that was silent for this
    /// time gets a Ping, and the connection closes if it does not answer.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? IdleTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The time of silence after which a Ping is sent. Default: <see langword="null"/>; then only a connection with something outstanding gets a Ping,
    /// after <see cref="IdleTimeout"/> (RFC 8323, section 5.4).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? PingInterval { get; init => field = Bound.Positive(value); }

    /// <summary>The time that the peer may stay silent after a Ping before the connection is closed. Default: 30 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan PingTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>The time that one message may take from its first to its last byte before the connection is aborted. Default: 60 s.</summary>
    /// <remarks>
    /// <para>Prevents peers that send single bytes from occupying memory. While an account uses more than half of its share of the room for
    /// incomplete messages, its messages over about 4 KiB must also make progress: after its first 10 s, each must gain 5 KiB every 5 s.</para>
    /// <para>A message that exceeds the share of its account is not read until there is room. The same time limit applies to this wait.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MessageTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(60);

    /// <summary>The time after a Release for outstanding requests to finish and for the peer to close. Default: 30 s (RFC 8323, section 5.5).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ReleaseTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>The size above which no message is skipped.</summary>
    internal long EffectiveAbortAboveSize => Math.Max(AbortAboveSize, MaxMessageSize);
}
