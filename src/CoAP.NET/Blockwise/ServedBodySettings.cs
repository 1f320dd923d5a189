namespace CoAP;

/// <summary>What an endpoint takes and keeps of bodies that come or go in blocks (RFC 7959).</summary>
/// <remarks>Immutable; safe defaults. What does not fit is answered 4.13 with Size1, or 5.03 with Max-Age.</remarks>
public sealed record ServedBodySettings
{
    private const int LargestBlock = 1024;

    /// <summary>The largest blocks that are asked for and sent over datagrams: 16, 32, 64 and so on to 1,024 bytes, the default.</summary>
    /// <remarks>Clients that send larger ones are told so with the first answer; clients may ask for smaller ones (RFC 7959, section 2.3).</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not a power of two from 16 to 1,024.</exception>
    public int PreferredBlockSize { get; init => field = Bound.BlockSize(value); } = LargestBlock;

    /// <summary>
    /// The payload in bytes above which a datagram's body goes in blocks; by default as much as fits into one
    /// (<see cref="CoapEndpointSettings.MaxSendSize"/>).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int? Threshold { get; init => field = Bound.Within(value, 0, int.MaxValue); }

    /// <summary>
    /// The largest body that is collected for a handler, or kept of a response, in bytes. 16 MiB by default: the most that blocks of every size
    /// can carry (RFC 7959, section 2.2).
    /// </summary>
    /// <remarks>
    /// A larger body of a request is answered 4.13 with this size as Size1. A larger one of a response is answered 5.00 in its place. Its
    /// memory is taken as blocks arrive, whatever size was announced.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxBodySize { get; init => field = Bound.AtLeast(value, 0); } = 16 << 20;

    /// <summary>The bodies that one peer may be sending, and as many that it may be fetching; 16 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxBodiesPerPeer { get; init => field = Bound.AtLeast(value, 1); } = 16;

    /// <summary>The bytes of all bodies of one lane, received and kept; 64 MiB by default.</summary>
    /// <remarks>Each body counts its options and a kibibyte as well. Where they are used up, kept responses to GET and FETCH go first: their handlers can be asked again.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxTotalSize { get; init => field = Bound.AtLeast(value, 0); } = 64 << 20;

    /// <summary>
    /// The largest body of a request that a handler reads as it comes, in bytes (<see cref="ResourceBodyExtensions.StreamsBody"/>). 1 GiB by default: the most
    /// that blocks of 1,024 bytes can carry.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxStreamedSize { get; init => field = Bound.AtLeast(value, 0); } = 1L << 30;

    /// <summary>The bytes of a body that may wait for their reader before the client is held back; 64 KiB by default, for each body.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1,024.</exception>
    public int StreamWindow { get; init => field = Bound.AtLeast(value, LargestBlock); } = 64 << 10;

    /// <summary>How long a body is kept after its last block; EXCHANGE_LIFETIME by default (RFC 7959, sections 2.4 and 2.5).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? Lifetime { get; init => field = Bound.Positive(value); }
}
