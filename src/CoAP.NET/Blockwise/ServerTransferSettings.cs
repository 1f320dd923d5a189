using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>Limits for the bodies that an endpoint receives or sends in blocks as a server (RFC 7959).</summary>
/// <remarks>Immutable. A body above a limit gets 4.13 with Size1, or 5.03 with Max-Age.</remarks>
public sealed record ServerTransferSettings
{
    internal const int LargestBlock = 1024;

    /// <summary>The largest block that is requested and sent over datagrams: a power of two from 16 to 1,024 bytes. Default: 1,024.</summary>
    /// <remarks>The first response asks clients with larger blocks to use this size. Clients may ask for smaller blocks (RFC 7959, section 2.3).</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not a power of two from 16 to 1,024.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int PreferredBlockSize { get; init => field = Bound.BlockSize(value); } = LargestBlock;

    /// <summary>
    /// The largest payload in bytes that is sent in one datagram; a larger one is sent in blocks. Default: <see langword="null"/>, which allows
    /// as much as fits (<see cref="CoapEndpointSettings.MaxSendSize"/>).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int? MaxDatagramPayload { get; init => field = Bound.Within(value, 0, int.MaxValue); }

    /// <summary>
    /// The largest request body that is collected for a handler, and the largest response body that is kept, in bytes. Default: 16 MiB, which
    /// is the most that blocks of 16 bytes can carry (RFC 7959, section 2.2).
    /// </summary>
    /// <remarks>
    /// A larger request body gets 4.13 with this size as Size1. A 5.00 replaces a response with a larger body. Memory is allocated as blocks
    /// arrive, whatever size the client announces.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxBodySize { get; init => field = Bound.AtLeast(value, 0); } = 16 << 20;

    /// <summary>The number of bodies that one peer may send at a time, and the number that it may fetch. Default: 16.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxBodiesPerPeer { get; init => field = Bound.AtLeast(value, 1); } = 16;

    /// <summary>
    /// The largest total size of received and kept bodies, and of the requests that handlers, authorizers and users' blocks hold, in bytes. Default:
    /// 64 MiB. One account holds at most as much as is still free.
    /// </summary>
    /// <remarks>
    /// <para>A request of 1 KiB or more counts until it is answered and its handler has returned. Above the share of its account, it gets 4.29 with Max-Age, or
    /// 4.01 with Echo if the address is unverified. A request that is larger than half the limit counts as half of it. It is accepted while nobody
    /// else holds much.</para>
    /// <para>A request body in several blocks that exceeds half the limit gets 4.13. If the limit is 0, bodies are transferred only in one message: every
    /// request in several blocks gets 4.13, and a response that needs several blocks becomes 5.03, or 5.00 if its handler must not run again.</para>
    /// <para>Each body also counts its options and 1 KiB. At the limit, kept responses to GET and FETCH are dropped first, because their handlers can
    /// be called again. The endpoint receives no block-wise body from an unverified address. For such an address, it keeps only the responses of
    /// handlers that must not run again.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long MaxTotalSize { get; init => field = Bound.AtLeast(value, 0); } = 64 << 20;

    /// <summary>
    /// The largest request body that a handler reads while it arrives, in bytes (<see cref="ResourceBodyExtensions.StreamsBody"/>). Default: 1 GiB,
    /// which is the most that blocks of 1,024 bytes can carry.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long MaxStreamedSize { get; init => field = Bound.AtLeast(value, 0); } = 1L << 30;

    /// <summary>
    /// The unread bytes of one streamed body above which the client has to wait. Default: 64 KiB. At most half of <see cref="MaxTotalSize"/> is used.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1,024.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int StreamWindow { get; init => field = Bound.AtLeast(value, LargestBlock); } = 64 << 10;

    /// <summary>
    /// The longest time that a handler that reads a body waits for the next block. After that, the transfer ends with 4.08, and the handler gets a
    /// <see cref="CoapTransferException"/>. Default: 30 s, which is enough for three retransmissions of a block. It limits how long a peer holds a
    /// handler thread.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan BlockTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The longest time for which a body that is still arriving may keep other requests to its path waiting. Applies if the library
    /// evaluates their conditions
    /// (<see cref="ResourceConditionExtensions"/>). After that, the transfer ends with 4.08, and the handler gets a <see cref="CoapTransferException"/>.
    /// Default: 10 s.
    /// </summary>
    /// <remarks>
    /// The time counts from the first request that waits. Requests whose bodies have arrived come before those whose bodies are arriving,
    /// until none of these has had the turn for the same time. A request whose turn has come, and that has found no handler thread within
    /// the same time, gets a 5.03 (Service Unavailable) if others wait.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than a timer can be.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxBodyTurn { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(10);

    /// <summary>How long a body is kept after its latest block. Default: EXCHANGE_LIFETIME (RFC 7959, sections 2.4 and 2.5).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan? Lifetime { get; init => field = Bound.Positive(value); }
}
