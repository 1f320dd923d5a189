namespace CoAP;

/// <summary>How bodies that do not fit into a message are sent and fetched (RFC 7959). The requesting side's part.</summary>
/// <remarks>Immutable; safe to share.</remarks>
public sealed record TransferSettings
{
    /// <summary>The largest block that is sent and asked for over datagrams, in bytes: a power of two, 16 to 1,024; 1,024 by default (RFC 7959, section 2.2).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not one of these sizes.</exception>
    public int BlockSize { get; init => field = Bound.BlockSize(value); } = 1024;

    /// <summary>
    /// Whether the first request says already which block size is preferred; not by default, because it costs an option in every request
    /// (RFC 7959, section 2.4). A request with a size of its own says it in any case.
    /// </summary>
    public bool NegotiatesEarly { get; init; }

    /// <summary>The longest response body that is collected in memory, in bytes; 64 MiB by default. A longer one fails the request; to a <see cref="BodyTarget"/> there is no limit.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or longer than an array can be.</exception>
    public int MaxResponseBody { get; init => field = Bound.Within(value, 0, Array.MaxLength); } = 64 << 20;

    /// <summary>How often a GET or FETCH begins anew when the representation changes while it is fetched; 2 by default, 0 for never (RFC 7959, section 2.4).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxRestarts { get; init => field = Bound.AtLeast(value, 0); } = 2;

    /// <summary>The bytes of a body that may be between a stream and the network, in each direction; 64 KiB by default, at least 4 KiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4,096 or more than 16 MiB.</exception>
    public int ReadAhead { get; init => field = Bound.Within(value, 4096, 16 << 20); } = 64 << 10;

    /// <summary>Whether bodies go in sets of non-confirmable blocks where the peer supports it; not by default (RFC 9177).</summary>
    public RobustMode RobustMode { get; init; }
}
