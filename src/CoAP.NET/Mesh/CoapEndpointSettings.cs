using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Runtimes;
using CoAP.Streams;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP;

/// <summary>The settings that clients and servers share.</summary>
/// <remarks>Immutable. The defaults are safe for endpoints on the Internet. The limits bound what peers can make this endpoint store and do.</remarks>
public abstract record CoapEndpointSettings
{
    // The smallest size of messages in bytes.
    private const int LeastSendSize = 64;

    private readonly TimeSpan? _responseTimeout;
    private readonly TimeSpan? _requestIdleTimeout;

    private protected CoapEndpointSettings()
    {
    }

    /// <summary>The transmission parameters (RFC 7252, section 4.8). Default: the values of the RFC. Both peers should use the same values.</summary>
    public TransmissionParameters Transmission { get; init => field = Bound.NotNull(value); } = TransmissionParameters.Default;

    /// <summary>
    /// The algorithm that sets the time before the first retransmission (RFC 7252, section 4.7). Default: the fixed ACK_TIMEOUT of
    /// <see cref="Transmission"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public CongestionMode Congestion { get; init => field = Bound.Defined(value); }

    /// <summary>
    /// The options that this endpoint knows. A received message with another critical option is rejected (RFC 7252, section 5.4.1). Default: all
    /// options of the library.
    /// </summary>
    public OptionRegistry Options { get; init => field = Bound.NotNull(value); } = OptionRegistry.Default;

    /// <summary>The formats of typed payloads, the preferred ones first. Default: text, bytes, links and problem details. CoAP.NET.Formats has more.</summary>
    public PayloadFormats Formats { get; init => field = Bound.NotNull(value); } = PayloadFormats.Default;

    /// <summary>
    /// The number of datagram lanes. Each lane has its own sockets and its own share of the peers. The number is fixed while the endpoint runs.
    /// Default: 1. Use more if one core cannot serve all requests.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 64.</exception>
    public int Lanes { get; init => field = Bound.Within(value, 1, 64); } = 1;

    /// <summary>How a lane waits for datagrams, and on Linux for a server's connections without TLS. Default: each has a thread, the fastest form.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public LaneForm LaneForm { get; init => field = Bound.Defined(value); }

    /// <summary>
    /// Whether sockets bound to <c>[::]</c> also serve IPv4. They never do if another endpoint of the same transport serves it. Default:
    /// <see langword="true"/>.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool IsDualMode { get; init; } = true;

    /// <summary>The settings of UDP: sockets, buffers and batches.</summary>
    public UdpSettings Udp { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The settings of TCP: sockets and the number of connections.</summary>
    public TcpSettings Tcp { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The limits and timeouts of connections (RFC 8323).</summary>
    public StreamSettings Stream { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// The largest number of bytes in flight on all connections: half for received bytes of incomplete messages, half for responses that peers have not
    /// read. A large request of this endpoint fails with <see cref="CoapBusyException"/> if this many bytes of large requests would be unsent. Default: 64 MiB.
    /// </summary>
    /// <remarks>
    /// <para>Accounts share each half (<see cref="LedgerSettings"/>). A message over about 4 KiB that exceeds the share of its account is not read until
    /// there is room, for at most <see cref="StreamSettings.MessageTimeout"/>. A WebSocket is closed with 1013 instead. The connections of an account
    /// that holds its share of responses are not read until its peers have read responses.</para>
    /// <para>A message larger than a quarter of the limit exceeds every share. One such message is received at a time. If the limit is 0, this applies to all
    /// messages over about 4 KiB.</para>
    /// <para>A request counts until it is complete. It does not count while a handler works on it: otherwise one slow handler would block the large
    /// messages of all peers. The requests that handlers hold are bounded by <see cref="ServerTransferSettings.MaxTotalSize"/>.</para>
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public long MaxInFlightSize { get; init => field = Bound.AtLeast(value, 0); } = 64 << 20;

    /// <summary>The block-wise transfers of requests that this endpoint sends, and of their responses (RFC 7959).</summary>
    public ClientTransferSettings ClientTransfers { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The block-wise transfers of requests that this endpoint receives, and of its responses (RFC 7959).</summary>
    public ServerTransferSettings ServerTransfers { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The robust block-wise transfers, which use non-confirmable messages (RFC 9177).</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public RobustTransferSettings RobustTransfers { get; init => field = Bound.NotNull(value); } = RobustTransferSettings.Default;

    /// <summary>The memory of received datagrams, which recognizes duplicates (RFC 7252, section 4.5).</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public DeduplicationSettings Deduplication { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The observers of this endpoint's resources: how many there may be, and how they are notified (RFC 7641).</summary>
    public ServerObservationSettings ServerObservations { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The Echo option, which proves that a request is fresh (RFC 9175).</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public FreshnessSettings Freshness { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The settings for sharing the limits of this endpoint among its peers.</summary>
    public LedgerSettings Ledger { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The limits on what is sent to addresses that may be forged (RFC 9175, section 2.4).</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public AmplificationSettings Amplification { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The observations of peers' resources by this endpoint (RFC 7641, section 3).</summary>
    public ClientObservationSettings ClientObservations { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// The largest datagram that this endpoint sends, in bytes. Larger bodies are sent block-wise. Default: 1,152 bytes, which fit into one packet on
    /// nearly all paths (RFC 7252, section 4.6). With DTLS, messages are shorter by the largest overhead of a record, 54 bytes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 or more than 65,507.</exception>
    public int MaxSendSize { get; init => field = Bound.Within(value, LeastSendSize, 65_507); } = 1152;

    /// <summary>
    /// The longest token that this endpoint accepts in requests over datagrams, in bytes. A request with a longer token gets 4.00 (RFC 8974,
    /// section 2.2.2). Default: 256 bytes.
    /// </summary>
    /// <remarks>
    /// The effective limit is at most <see cref="MaxSendSize"/> less 64 bytes, because the response carries the same token. For connections, see
    /// <see cref="StreamSettings.MaxTokenLength"/>.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 8 or more than 65,804.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxTokenLength { get; init => field = Bound.Within(value, 8, Token.MaxLength); } = 256;

    /// <summary>
    /// The largest number of segments in the path of a received request. A request with more gets 4.00 before
    /// any step, authorizer or handler is called.
    /// Default: 64. A resource whose template has more segments needs a larger limit.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxPathSegments { get; init => field = Bound.AtLeast(value, 1); } = 64;

    /// <summary>
    /// The longest path of a received request, in bytes: its segments in UTF-8, and a slash before each. A request with a longer
    /// one gets 4.00 before any step, authorizer or handler is called. Default: 1,024 bytes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxPathLength { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>
    /// The largest number of arguments in the query of a received request. A request with more gets 4.00 before
    /// any step, authorizer or handler is called.
    /// Default: 64. An argument has at most 255 bytes (RFC 7252, section 5.10).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxQueryArguments { get; init => field = Bound.AtLeast(value, 1); } = 64;

    /// <summary>
    /// The largest payload of a request that an inline handler processes on the lane, in bytes. The handlers of larger requests run on handler threads,
    /// so that they do not delay other requests. Default: 2,048 bytes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxInlinePayload { get; init => field = Bound.AtLeast(value, 0); } = 2048;

    /// <summary>
    /// Whether handlers mapped as <see cref="HandlerMode.Learned"/>, the default of synchronous handlers, run inline after many quick
    /// calls. If not, they always run on handler threads. Default: <see langword="true"/>.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool LearnsHandlers { get; init; } = true;

    /// <summary>
    /// The maximum number of requests to one peer that wait because NSTART requests are outstanding (RFC 7252, section 4.7). One more fails at once with
    /// <see cref="CoapBusyException"/>. Default: 1,024. Bounds the memory that a peer without responses costs.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxQueuedRequests { get; init => field = Bound.AtLeast(value, 0); } = 1024;

    /// <summary>
    /// The largest number of received requests without an answer. Default: 65,536. It limits the memory that slow handlers cost. A request above the
    /// share of its account gets 4.29 with Max-Age (RFC 8516), or 4.01 with Echo if the address is unverified. If nothing is free, datagrams are dropped
    /// and counted.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxPendingRequests { get; init => field = Bound.AtLeast(value, 1); } = 65_536;

    /// <summary>
    /// The largest number of threads for buffered handlers. At most this many buffered handlers block at the same time. Default: four times the number of
    /// processors, at least 8. One account uses at most half of the threads, and all unverified addresses together an eighth. Set twice the
    /// number of handlers that may block at once for one account.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 4,096.</exception>
    public int HandlerThreads { get; init => field = Bound.Within(value, 1, 4096); } = Math.Max(8, Environment.ProcessorCount * 4);

    /// <summary>
    /// The largest number of threads for buffered handlers that read a body while it arrives (<see cref="ResourceBodyExtensions.StreamsBody"/>). These
    /// handlers wait for their peers, so they have separate threads. Default: 64. One account holds at most as many as are still free.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 4,096.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int BodyThreads { get; init => field = Bound.Within(value, 1, 4096); } = 64;

    /// <summary>
    /// The largest number of requests that buffered handlers process or that wait for a handler thread. If the queue is full, a request gets 5.03 with
    /// Max-Age. Above the share of its account, it gets 4.29, or 4.01 with Echo if the address is unverified. Default: 4,096. A longer queue would only
    /// contain requests that clients have given up.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxHandlerQueue { get; init => field = Bound.AtLeast(value, 1); } = 4096;

    /// <summary>
    /// The longest time that an acknowledged request waits for its response (RFC 7252, section 5.2.2). After that it fails with
    /// <see cref="CoapTimeoutException"/>. Default: EXCHANGE_LIFETIME of <see cref="Transmission"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan ResponseTimeout
    {
        get => _responseTimeout ?? Transmission.ExchangeLifetime;
        init => _responseTimeout = Bound.Positive(value);
    }

    /// <summary>
    /// The longest time for which a request of this endpoint makes no progress: no response arrives, and the peer accepts no new byte of a body. After
    /// that, the request fails with <see cref="CoapTimeoutException"/>. Waiting behind other requests counts. Default: MAX_TRANSMIT_WAIT + 10 s, but at
    /// least 100 s. A longer <see cref="ResponseTimeout"/>, <see cref="MaxMessageIdWait"/> or <see cref="StreamSettings.MessageTimeout"/> extends the
    /// default.
    /// </summary>
    /// <remarks>
    /// If a request sets its own <see cref="CoapRequest.ResponseTimeout"/> or <see cref="CoapRequest.Transmission"/>, it may wait at least as long as
    /// these values allow.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan RequestIdleTimeout
    {
        get => _requestIdleTimeout ?? IdleTimeout.DefaultOf(Transmission, _responseTimeout, MaxMessageIdWait, Stream.MessageTimeout);
        init => _requestIdleTimeout = Bound.Positive(value);
    }

    /// <summary>
    /// The time after which a request without an answer is acknowledged by an empty message (RFC 7252, section 5.2.2). Default: 250 ms. It must be well
    /// below the client's ACK_TIMEOUT, so that the client does not retransmit.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan AcknowledgeAfter { get; init => field = Bound.Positive(value); } = TimeSpan.FromMilliseconds(250);

    /// <summary>The longest time that an authorizer may take. After that, the request gets 5.03. Default: 10 s.</summary>
    /// <remarks>If a notification was waiting for the decision, its observation ends with 5.03.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan AuthorizationTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The largest number of calls of authorizers in progress. Default: 1,024. It limits what peers can demand of a database behind an authorizer. A
    /// request above the share of its account gets 4.29 with Max-Age, or 4.01 with Echo if the address is unverified. If no call is
    /// free, it gets 5.03. A notification waits.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxPendingAuthorizations { get; init => field = Bound.AtLeast(value, 1); } = 1024;

    /// <summary>
    /// The longest time that an orderly shutdown waits for handlers to answer and for peers to receive the answers. Default: 5 s. After that, open requests
    /// are dropped.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan ShutdownTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Whether a message ID is reused before EXCHANGE_LIFETIME ends if no other is free (RFC 7252, section 4.4 forbids it). Default:
    /// <see langword="false"/>.
    /// </summary>
    /// <remarks>
    /// Without reuse, one local port sends at most 260 messages per second to one peer after a burst of 64,512. A client then goes on from
    /// another port (<see cref="CoapClientSettings.MaxLocalPorts"/>).
    /// </remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AllowsMessageIdReuse { get; init; }

    /// <summary>
    /// The longest time that a request waits for a free message ID. If the wait would be longer, the request fails at once with
    /// <see cref="CoapBusyException"/>. Default: 10 s. Without effect if <see cref="AllowsMessageIdReuse"/> is <see langword="true"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxMessageIdWait { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>A network within the process, for tests. Hosts in URIs are names on it. Default: <see langword="null"/>, the network of the machine.</summary>
    public InMemoryNetwork? Network { get; init; }

    /// <summary>Your own blocks that are linked into the mesh, and the arrows where they are linked. Default: none.</summary>
    public IReadOnlyList<MeshLink> Links { get; init => field = Bound.NoneNull(value); } = [];

    /// <summary>What traces contain, and whether the context of traces is exchanged with peers. Default: no query, and no exchange.</summary>
    public TelemetrySettings Telemetry { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>Creates the loggers. Default: errors go to the standard error stream. <c>NullLoggerFactory.Instance</c> logs nothing.</summary>
    public ILoggerFactory LoggerFactory { get; init => field = Bound.NotNull(value); } = StandardErrorLog.Instance;

    /// <summary>The clock. Default: the system's clock.</summary>
    public TimeProvider TimeProvider { get; init => field = Bound.NotNull(value); } = TimeProvider.System;

    /// <summary>The security layer for datagrams; <see langword="null"/> if there is none.</summary>
    internal virtual DatagramSecurity? Security => null;

    /// <summary>The settings of groups that this endpoint is a member of; <see langword="null"/> if it is in no group.</summary>
    internal virtual MulticastSettings? ServedGroups => null;

    /// <summary>Limits the requests of accounts to this endpoint; <see langword="null"/> if there is no limit.</summary>
    internal virtual RateLimit? ServedRate => null;

    /// <summary>Creates the services of a request; <see langword="null"/> if requests have none.</summary>
    internal virtual Func<IncomingRequest, IServiceProvider>? ServicesOfRequests => null;

    /// <summary>The most requests to groups that wait for responses.</summary>
    internal virtual int MaxGroupRequests => 0;

    /// <summary>Runs the work of the endpoint.</summary>
    internal EndpointRuntime Runtime => Network?.Runtime ?? EndpointRuntime.Threads;

    /// <summary>The name on an in-memory network; <see langword="null"/> if the network chooses one.</summary>
    internal virtual string? LocalName => null;

    /// <summary>Whether these are the settings of a client.</summary>
    internal virtual bool IsClient => false;

    /// <summary>The longest time that a call may take; <see langword="null"/> if it is not limited.</summary>
    internal virtual TimeSpan? CallTimeout => null;

    /// <summary>The most local ports that a lane opens when the message IDs of the others are used up.</summary>
    internal virtual int MaxFurtherPorts => 0;

    /// <summary>Creates and checks the tokens of stateless requests; <see langword="null"/> if the endpoint sends none.</summary>
    internal virtual StatelessTokens? Tokens => null;

    /// <summary>Stores the observers of this endpoint across a restart; <see langword="null"/> if they are not stored.</summary>
    internal virtual IObserverStore? ObserverStore => null;

    /// <summary>Returns the settings for opening connections.</summary>
    internal virtual ConnectSettings ForConnections() =>
        new(new ReconnectSettings(), Tcp, new TlsClientSettings(), Network, TimeProvider, Runtime);

    /// <summary>Returns the limits that peers share.</summary>
    internal virtual LedgerLimits ForLedger() => new()
    {
        Requests = MaxPendingRequests,
        HandlerQueue = MaxHandlerQueue,
        HandlerThreads = HandlerThreads,
        BodyThreads = BodyThreads,
        Authorizations = MaxPendingAuthorizations,
        Bodies = ServerTransfers.MaxTotalSize,
        Observations = ServerObservations.MaxObservations,
        GroupAnswers = (ServedGroups ?? new()).MaxPendingAnswers,
        UnsentBytes = MaxInFlightSize - (MaxInFlightSize / 2),
        ReceivedBytes = MaxInFlightSize / 2,
        Sessions = Security?.MaxSessions ?? 0,
        SessionHandshakes = Security?.MaxConcurrentHandshakes ?? 0,
    };

    /// <summary>Returns the time that the calling thread has lost to others; <see langword="null"/> for what the system says.</summary>
    internal Func<TimeSpan>? LostTime { get; init; }

    /// <summary>Creates the log of an endpoint.</summary>
    internal EndpointLog CreateLog() => new(new CategoryLogger(LoggerFactory), TimeProvider);

    /// <summary>Creates the ledger of an endpoint.</summary>
    internal Ledger CreateLedger(EndpointLog log) => new(Ledger, ForLedger(), log);

    internal HandlerSettings ForHandlers(EndpointLog log) => new(MaxInlinePayload, log, ServedRate, TimeProvider, Runtime)
    {
        LearnsHandlers = LearnsHandlers,
        // Simulated time passes only when a test moves it.
        LostTime = LostTime ?? (TimeProvider == TimeProvider.System ? ThreadDelays.Read : static () => TimeSpan.Zero),
    };

    internal LaneSettings ForLanes(HandlerPipeline pipeline) => new(TimeProvider, pipeline.Log, Runtime, pipeline.Stopping);

    internal StreamLaneSettings ForStreamLanes(LaneSettings lane, Ledger ledger) =>
        new(lane, ForExchanges(overhead: 0), ledger, Stream, Tcp.SendTimeout, ServicesOfRequests);

    /// <summary>Creates the settings of exchanges.</summary>
    /// <param name="overhead">The bytes of a datagram that messages cannot use.</param>
    internal ExchangeSettings ForExchanges(int overhead) => new()
    {
        IsClient = IsClient,
        Transmission = Transmission,
        Congestion = Congestion,
        Options = Options,
        Formats = Formats,
        Telemetry = Telemetry,
        MaxSendSize = Math.Max(LeastSendSize, MaxSendSize - overhead),
        MaxTokenLength = MaxTokenLength,
        MaxPathSegments = MaxPathSegments,
        MaxPathLength = MaxPathLength,
        MaxQueryArguments = MaxQueryArguments,
        LargeMessageSize = Stream.LargeMessageSize,
        MaxQueuedRequests = MaxQueuedRequests,
        MaxPendingRequests = MaxPendingRequests,
        ResponseTimeout = ResponseTimeout,
        RequestIdleTimeout = RequestIdleTimeout,
        Timeout = CallTimeout,
        MinRate = ClientTransfers.MinRate,
        RateWindow = ClientTransfers.RateWindow,
        AcknowledgeAfter = AcknowledgeAfter,
        MaxBodyTurn = ServerTransfers.MaxBodyTurn,
        AllowsMessageIdReuse = AllowsMessageIdReuse,
        MaxMessageIdWait = MaxMessageIdWait,
        MaxFurtherPorts = MaxFurtherPorts,
        EchoLifetime = Freshness.EchoLifetime,
    };
}
