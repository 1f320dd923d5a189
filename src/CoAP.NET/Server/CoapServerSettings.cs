using System.Net;
using CoAP.Streams;

namespace CoAP;

/// <summary>What a server listens on and how it runs.</summary>
public sealed record CoapServerSettings : CoapEndpointSettings
{
    /// <summary>Where the server listens; UDP and TCP on port 5683 of the loopback addresses by default.</summary>
    public IReadOnlyList<ServerEndpoint> Endpoints { get; init; } =
    [
        ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, CoapPort)), ServerEndpoint.Udp(new IPEndPoint(IPAddress.IPv6Loopback, CoapPort)),
        ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, CoapPort)), ServerEndpoint.Tcp(new IPEndPoint(IPAddress.IPv6Loopback, CoapPort)),
    ];

    /// <summary>How connections are served: on all cores without blocking by default.</summary>
    public ServerMode Mode { get; init; }

    /// <summary>The groups that the server is a member of (RFC 7252, section 8); none by default.</summary>
    public MulticastSettings? Multicast { get; init; }

    /// <summary>The certificate of endpoints of TLS, and what is asked of clients there.</summary>
    public TlsServerSettings Tls { get; init; } = new();

    /// <summary>How many WebSockets the server takes from a web host.</summary>
    public WebSocketServerSettings WebSockets { get; init; } = new();

    /// <summary>
    /// Whether the server answers "/.well-known/core" with what is mapped (RFC 6690), unless something of your own is mapped there; true by
    /// default.
    /// </summary>
    public bool ListsResources { get; init; } = true;

    private const int CoapPort = 5683;

    internal override MulticastSettings? ServedGroups => Multicast;

    internal override IObserverStore? ObserverStore => Observers.Store;

    internal ListenSettings ForListening()
    {
        StreamLaneForm form = Mode switch
        {
            ServerMode.Async => new StreamLaneForm(Environment.ProcessorCount, HasThread: false, RunsHandlers: false).Polled(LaneForm),
            ServerMode.AsyncSingle => new StreamLaneForm(1, HasThread: true, RunsHandlers: false).Polled(LaneForm),
            _ => new StreamLaneForm(1, HasThread: false, RunsHandlers: true),
        };
        return new(form, Mode == ServerMode.Sync, IsDualMode, Tcp, Tls, WebSockets, TimeProvider, LoggerFactory.CreateLogger("CoAP"));
    }
}
