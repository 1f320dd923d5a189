using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>How a client transfers bodies that do not fit into a message (RFC 7959).</summary>
/// <remarks>Immutable; safe to share.</remarks>
public sealed record ClientTransferSettings
{
    /// <summary>
    /// The largest block that is sent and requested over datagrams: a power of two from 16 to 1,024 bytes (RFC 7959, section 2.2). Default: 1,024.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not one of these sizes.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int BlockSize { get; init => field = Bound.BlockSize(value); } = 1024;

    /// <summary>
    /// Whether the first request already states the preferred block size (RFC 7959, section 2.4). Default: <see langword="false"/>, because it
    /// adds an option to every request. A request with its own block size always states it.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool NegotiatesBlockSizeEarly { get; init; }

    /// <summary>
    /// Whether all requests of a body in blocks have the same token. Default: <see langword="false"/>. Servers such as node-coap put the blocks of a request
    /// together by their token, although a token belongs to a single request (RFC 7252, section 5.3.1). They never see the whole body otherwise.
    /// </summary>
    /// <remarks>With one token, a late response to one block can be taken for the response to another one (RFC 9175, section 4.1).</remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool KeepsToken { get; init; }

    /// <summary>
    /// The longest response body that is collected in memory, in bytes. Default: 64 MiB. A longer body fails the request. A
    /// <see cref="BodyTarget"/> has no limit.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or longer than an array can be.</exception>
    public int MaxResponseBody { get; init => field = Bound.Within(value, 0, Array.MaxLength); } = 64 << 20;

    /// <summary>
    /// The largest total size of the unfinished response bodies that all calls of the endpoint hold in memory, in bytes. A call whose next block would
    /// exceed it fails with <see cref="CoapTransferException"/>. Default: 64 MiB.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long MaxTotalResponseSize { get; init => field = Bound.AtLeast(value, 0); } = 64 << 20;

    /// <summary>
    /// How often a GET or FETCH restarts if the representation changes during the transfer (RFC 7959, section 2.4), and how often a body
    /// in blocks starts again if the DTLS session is replaced. The server keeps the earlier blocks for the earlier session only. Default:
    /// 2. 0 means never.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxRestarts { get; init => field = Bound.AtLeast(value, 0); } = 2;

    /// <summary>
    /// The lowest rate of a body, in bytes per second. A call fails with <see cref="CoapTimeoutException"/> when its body has fallen behind this rate by
    /// <see cref="RateWindow"/>. Default: 16, which even devices in narrow-band networks exceed. 0 means no limit.
    /// </summary>
    /// <remarks>
    /// The delay grows while the body is slower than the rate and shrinks while it is faster. It is never negative, so a fast start earns no credit: a body
    /// at half the rate falls 10 minutes behind in 20 minutes. After a wait for the caller's own stream, the delay is zero again.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MinRate { get; init => field = Bound.AtLeast(value, 0); } = 16;

    /// <summary>How far a body may fall behind <see cref="MinRate"/> before its call fails. Default: 10 minutes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan RateWindow { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(10);

    /// <summary>The bytes of a body that are buffered between a stream and the network, in each direction. Default: 64 KiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4,096 or more than 16 MiB.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int ReadAhead { get; init => field = Bound.Within(value, 4096, 16 << 20); } = 64 << 10;

    /// <summary>Whether bodies are sent in sets of non-confirmable blocks to peers that support it (RFC 9177). Default: <see cref="RobustMode.Off"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public RobustMode RobustMode { get; init => field = Bound.Defined(value); }
}
