using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Streams;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP;

/// <summary>What clients and servers have in common: both roles run on the same parts.</summary>
/// <remarks>Immutable; safe defaults. The limits bound what peers can make this endpoint remember.</remarks>
public abstract record CoapEndpointSettings
{
    private readonly TimeSpan? _responseTimeout;

    /// <summary>The transmission parameters (RFC 7252, section 4.8).</summary>
    public TransmissionParameters Transmission { get; init; } = TransmissionParameters.Default;

    /// <summary>How the time before the first retransmission is found; ACK_TIMEOUT as it is set by default (RFC 7252, section 4.7).</summary>
    public CongestionControl Congestion { get; init; }

    /// <summary>The options that received messages understand.</summary>
    public OptionRegistry Options { get; init; } = OptionRegistry.Default;

    /// <summary>The number of datagram lanes, each an engine of its own; 1 by default, fixed while running.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 64.</exception>
    public int Lanes { get; init => field = Bound.Within(value, 1, 64); } = 1;

    /// <summary>How lanes wait for datagrams, and on Linux for the plain connections of a server: in a thread of their own by default.</summary>
    public LaneForm LaneForm { get; init; }

    /// <summary>Whether sockets bound to <c>[::]</c> serve IPv4 as well, where no other endpoint of the same transport does. On by default.</summary>
    public bool IsDualMode { get; init; } = true;

    /// <summary>Sockets, buffers and batches of UDP.</summary>
    public UdpSettings Udp { get; init; } = new();

    /// <summary>Sockets of connections, and how many there may be.</summary>
    public TcpSettings Tcp { get; init; } = new();

    /// <summary>Limits and time-outs of connections (RFC 8323).</summary>
    public StreamSettings Stream { get; init; } = new();

    /// <summary>
    /// The bytes in flight on all connections together: messages that are half received, and what waits to be sent. 256 MiB by default. Where they are used
    /// up, connections with a large message are read on when there is room, and large requests of ours fail with <see cref="CoapBusyException"/>.
    /// </summary>
    /// <remarks>
    /// One message that is larger than what is left goes when no other large one is under way, so that none waits for ever. A request counts until it is
    /// whole, and not while a handler has it: a handler that takes its time would hold up the large messages of everybody else. What handlers have is
    /// bounded by its number, <see cref="MaxPendingRequests"/> for each lane and <see cref="StreamSettings.MaxRequestsInProgress"/> for each connection,
    /// times <see cref="StreamSettings.MaxMessageSize"/>; where that is more than there is memory, lower one of these.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxInFlightSize { get; init => field = Bound.AtLeast(value, 0); } = 256 << 20;

    /// <summary>Bodies of requests that this endpoint sends, and of their responses, where they do not fit into a message (RFC 7959).</summary>
    public TransferSettings Transfers { get; init; } = new();

    /// <summary>Bodies of requests that this endpoint answers, and of its responses, where they do not fit into a message (RFC 7959).</summary>
    public ServedBodySettings ServedBodies { get; init; } = new();

    /// <summary>Robust transfers of bodies in non-confirmable messages (RFC 9177).</summary>
    public RobustTransferSettings RobustTransfers { get; init; } = RobustTransferSettings.Default;

    /// <summary>How much is remembered of received datagrams (RFC 7252, section 4.5).</summary>
    public DeduplicationSettings Deduplication { get; init; } = new();

    /// <summary>How many may observe resources of this endpoint, and how they are notified (RFC 7641).</summary>
    public ObserverSettings Observers { get; init; } = new();

    /// <summary>Echo values (RFC 9175).</summary>
    public FreshnessSettings Freshness { get; init; } = new();

    /// <summary>How much is sent to addresses that may be forged.</summary>
    public AmplificationSettings Amplification { get; init; } = new();

    /// <summary>How resources of peers are observed (RFC 7641, section 3).</summary>
    public ObservationSettings Observations { get; init; } = new();

    /// <summary>The largest datagram that is sent, in bytes; 1,152 by default (RFC 7252, section 4.6).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 or more than 65,507.</exception>
    public int MaxSendSize { get; init => field = Bound.Within(value, 64, 65_507); } = 1152;

    /// <summary>
    /// The longest token taken in requests over datagrams, in bytes; 256 by default. One with a longer token is answered 4.00 (RFC 8974, section 2.2.2). Counts as
    /// 64 bytes less than <see cref="MaxSendSize"/> where it is more, because the response carries the token too. Connections have
    /// <see cref="StreamSettings.MaxTokenLength"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 8 or more than 65,804.</exception>
    public int MaxTokenLength { get; init => field = Bound.Within(value, 8, Token.MaxLength); } = 256;

    /// <summary>The size in bytes from which on a request goes to a buffered stage instead of running on its lane; 2,048 by default, the case study's mixed form.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int BufferedSize { get; init => field = Bound.AtLeast(value, 0); } = 2048;

    /// <summary>The requests to one peer that may wait behind NSTART; 1,024 by default. One more fails at once (RFC 7252, section 4.7).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxQueuedRequests { get; init => field = Bound.AtLeast(value, 0); } = 1024;

    /// <summary>The received requests that may be without an answer on one lane; 65,536 by default. Datagrams beyond it are dropped and counted, connections not read.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxPendingRequests { get; init => field = Bound.AtLeast(value, 1); } = 65_536;

    /// <summary>The buffered handlers that run at the same time; twice the processors by default, at least 4.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 4,096.</exception>
    public int HandlerThreads { get; init => field = Bound.Within(value, 1, 4096); } = Math.Max(4, Environment.ProcessorCount * 2);

    /// <summary>The requests that may wait for a buffered handler; 4,096 by default. One more is answered 5.03 with Max-Age.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxHandlerQueue { get; init => field = Bound.AtLeast(value, 1); } = 4096;

    /// <summary>How long an acknowledged request waits for its response; EXCHANGE_LIFETIME by default (RFC 7252, section 5.2.2).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan ResponseTimeout
    {
        get => _responseTimeout ?? Transmission.ExchangeLifetime;
        init => _responseTimeout = Bound.Positive(value);
    }

    /// <summary>How long a handler may take before the empty acknowledgement is sent by itself; 250 ms by default (RFC 7252, section 5.2.2).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan AcknowledgeAfter { get; init => field = Bound.Positive(value); } = TimeSpan.FromMilliseconds(250);

    /// <summary>The longest that an orderly end waits for answers, and for peers to take them; 5 s by default. What is left then is given up.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan ShutdownTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Whether a message ID may be used again before EXCHANGE_LIFETIME is over when none is left; not by default (RFC 7252, section 4.4).
    /// Strict means at most 265 messages a second to one peer from one local port, for longer than a burst of 64,512.
    /// </summary>
    public bool AllowsMessageIdReuse { get; init; }

    /// <summary>How long a request may wait for a message ID out of quarantine; 10 s by default. After that it fails.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan MessageIdWait { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>A network within the process, for tests: names of URIs are then names on it instead of hosts. None by default.</summary>
    public InMemoryNetwork? Network { get; init; }

    /// <summary>Blocks of the user's own at the arrows of the mesh.</summary>
    public IReadOnlyList<MeshLink> Links { get; init; } = [];

    /// <summary>Makes the loggers; nothing is logged by default.</summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>The clock; the system's by default.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>How requests to groups are answered; <see langword="null"/> if they are not.</summary>
    internal virtual MulticastSettings? ServedGroups => null;

    /// <summary>The requests to groups that may wait for responses.</summary>
    internal virtual int MaxGroupRequests => 0;

    /// <summary>The tokens of stateless requests; <see langword="null"/> if there are none.</summary>
    internal virtual StatelessTokens? Tokens => null;

    /// <summary>Keeps the observers of this endpoint over a restart; <see langword="null"/> if nothing is kept.</summary>
    internal virtual IObserverStore? ObserverStore => null;

    /// <summary>How connections of this endpoint are opened.</summary>
    internal virtual ConnectSettings ForConnections() => new(new ReconnectSettings(), Tcp, new TlsClientSettings(), Network, TimeProvider);

    internal LaneSettings ForLanes() => new(TimeProvider, LoggerFactory.CreateLogger("CoAP"));

    internal StreamLaneSettings ForStreamLanes() => new(ForLanes(), ForExchanges(), Stream, Tcp.SendTimeout);

    internal HandlerSettings ForHandlers() => new(HandlerThreads, MaxHandlerQueue, BufferedSize, LoggerFactory.CreateLogger("CoAP"));

    internal ExchangeSettings ForExchanges() => new()
    {
        Transmission = Transmission,
        Congestion = Congestion,
        Options = Options,
        MaxSendSize = MaxSendSize,
        MaxTokenLength = MaxTokenLength,
        LargeMessageSize = Stream.LargeMessageSize,
        MaxQueuedRequests = MaxQueuedRequests,
        MaxPendingRequests = MaxPendingRequests,
        ResponseTimeout = ResponseTimeout,
        AcknowledgeAfter = AcknowledgeAfter,
        AllowsMessageIdReuse = AllowsMessageIdReuse,
        MessageIdWait = MessageIdWait,
        EchoMemory = Freshness.EchoMemory,
    };
}
