using System.Diagnostics.CodeAnalysis;
using System.Net;
using CoAP.Accounting;
using CoAP.Streams;

namespace CoAP;

/// <summary>The settings of a server.</summary>
/// <remarks>Immutable.</remarks>
public sealed record CoapServerSettings : CoapEndpointSettings
{
    /// <summary>
    /// The addresses that the server listens on. Default: UDP and TCP on port 5683 of the loopback addresses, so that only programs on this machine
    /// reach the server. If the list is empty, the server serves only the WebSockets that a web host passes to it.
    /// </summary>
    public IReadOnlyList<ServerEndpoint> Endpoints { get; init => field = Bound.NoneNull(value); } =
    [
        ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, CoapPort)), ServerEndpoint.Udp(new IPEndPoint(IPAddress.IPv6Loopback, CoapPort)),
        ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, CoapPort)), ServerEndpoint.Tcp(new IPEndPoint(IPAddress.IPv6Loopback, CoapPort)),
    ];

    /// <summary>The threads that serve connections. Default: <see cref="ServerMode.Async"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public ServerMode Mode { get; init => field = Bound.Defined(value); }

    /// <summary>The groups that the server is a member of (RFC 7252, section 8). Default: none.</summary>
    public MulticastSettings? Multicast { get; init; }

    /// <summary>The certificate of TLS endpoints, and the certificates that clients must present there.</summary>
    public TlsServerSettings Tls { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// The keys and certificates of DTLS endpoints, such as a <c>DtlsServerSettings</c> of the package CoAP.NET.Dtls. Default: <see langword="null"/>.
    /// Required if the server has a DTLS endpoint. An in-memory endpoint then also serves DTLS.
    /// </summary>
    public DatagramSecurity? Dtls { get; init; }

    /// <summary>The limits of the WebSockets that the server accepts from a web host.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public WebSocketServerSettings WebSockets { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// Whether the server lists its resources at "/.well-known/core" (RFC 6690). A resource that you map there takes precedence. Default:
    /// <see langword="true"/>.
    /// </summary>
    public bool ListsResources { get; init; } = true;

    /// <summary>
    /// Limits the requests of each account to all resources together. Default: <see langword="null"/>, no limit. For single resources, see
    /// <see cref="ResourceRateExtensions.LimitRate"/>.
    /// </summary>
    public RateLimit? RateLimit { get; init; }

    /// <summary>
    /// Creates the services of a request when <see cref="IncomingRequest.Services"/> is first read. Default: <see langword="null"/>; a host sets it.
    /// </summary>
    /// <remarks>
    /// If the services are <see cref="IAsyncDisposable"/>, they are disposed of when the steps and the handler have returned the response, or have
    /// thrown an exception, and before the response is sent. If the response reads a stream, they are disposed of after the stream. If no handler is
    /// called, they are disposed of when the request ends, on another thread, and exceptions are logged. Afterwards, the property is
    /// <see langword="null"/>. If two threads read the property at the same time, the function can be called twice, and one result is used.
    /// </remarks>
    public Func<IncomingRequest, IServiceProvider>? RequestServices { get; init; }

    private const int CoapPort = 5683;

    internal override MulticastSettings? ServedGroups => Multicast;

    internal override DatagramSecurity? Security => Dtls;

    internal override RateLimit? ServedRate => RateLimit;

    internal override Func<IncomingRequest, IServiceProvider>? ServicesOfRequests => RequestServices;

    internal override IObserverStore? ObserverStore => ServerObservations.Store;

    internal override LedgerLimits ForLedger() => base.ForLedger() with
    {
        Connections = Mode == ServerMode.Sync ? Math.Min(Tcp.MaxConnections, Tcp.MaxConnectionThreads) : Tcp.MaxConnections,
        WebSockets = WebSockets.MaxConnections,
        Handshakes = Tls.MaxConcurrentHandshakes,
    };

    internal ListenSettings ForListening()
    {
        StreamLaneForm form = Mode switch
        {
            ServerMode.Async => new StreamLaneForm(Environment.ProcessorCount, HasThread: false, RunsHandlers: false).Polled(LaneForm),
            ServerMode.AsyncSingle => new StreamLaneForm(1, HasThread: true, RunsHandlers: false).Polled(LaneForm),
            _ => new StreamLaneForm(1, HasThread: false, RunsHandlers: true),
        };
        return new(form, Mode == ServerMode.Sync, IsDualMode, Tcp, Tls, TimeProvider);
    }
}
