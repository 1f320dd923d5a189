using System.Numerics;

namespace CoAP;

/// <summary>How bodies that do not fit into a message are sent and fetched (RFC 7959). The requesting side's part.</summary>
/// <remarks>Immutable; safe to share.</remarks>
public sealed record TransferSettings
{
    private const int SmallestBlock = 16;
    private const int LargestBlock = 1024;

    /// <summary>The largest block that is sent and asked for over datagrams, in bytes: a power of two, 16 to 1,024; 1,024 by default (RFC 7959, section 2.2).</summary>
    /// <exception cref="ArgumentException">Not one of these sizes.</exception>
    public int BlockSize
    {
        get;
        init
        {
            ThrowUnlessBlockSize(value, nameof(value));
            field = value;
        }
    } = LargestBlock;

    /// <summary>
    /// Whether the first request says already which block size is preferred; not by default, because it costs an option in every request
    /// (RFC 7959, section 2.4). A request with a size of its own says it in any case.
    /// </summary>
    public bool NegotiatesEarly { get; init; }

    /// <summary>The longest response body that is collected in memory, in bytes; 64 MiB by default. A longer one fails the request; to a <see cref="BodyTarget"/> there is no limit.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or longer than an array can be.</exception>
    public int MaxResponseBody
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Array.MaxLength);
            field = value;
        }
    } = 64 << 20;

    /// <summary>How often a GET or FETCH begins anew when the representation changes while it is fetched; 2 by default, 0 for never (RFC 7959, section 2.4).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxRestarts
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            field = value;
        }
    } = 2;

    /// <summary>The bytes of a body that may be between a stream and the network, in each direction; 64 KiB by default, at least 4 KiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4,096 or more than 16 MiB.</exception>
    public int ReadAhead
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 4096);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 16 << 20);
            field = value;
        }
    } = 64 << 10;

    /// <summary>Whether bodies go in sets of non-confirmable blocks where the peer supports it; not by default (RFC 9177).</summary>
    public RobustMode RobustMode { get; init; }

    internal static void ThrowUnlessBlockSize(int value, string name)
    {
        if (value is < SmallestBlock or > LargestBlock || !BitOperations.IsPow2(value))
        {
            throw new ArgumentException($"{value} is no block size; 16, 32, 64, 128, 256, 512 and 1024 are (RFC 7959, section 2.2).", name);
        }
    }
}
