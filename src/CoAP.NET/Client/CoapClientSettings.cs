using System.Diagnostics.CodeAnalysis;
using System.Net;
using CoAP.Streams;

namespace CoAP;

/// <summary>The settings of a client.</summary>
/// <remarks>Immutable.</remarks>
public sealed record CoapClientSettings : CoapEndpointSettings
{
    /// <summary>Resolves names on an in-memory network. The result may change, as the address of a host may.</summary>
    internal Func<string, string> NamesOnNetwork { get; init; } = static name => name;

    /// <summary>
    /// The URI against which relative URIs of requests are resolved, as of a web page (RFC 3986, section 5.2): with "coap://plant.example/api/", "sensors/7"
    /// stands for "coap://plant.example/api/sensors/7" and "/sensors/7" for "coap://plant.example/sensors/7". Requests with absolute URIs ignore it. Default:
    /// <see langword="null"/>, requests need absolute URIs. Applies to requests and observations, not to requests to groups.
    /// </summary>
    /// <exception cref="FormatException">The text is not an absolute URI with a scheme of CoAP.</exception>
    public string? BaseUri
    {
        get => Base?.ToString();
        init => Base = value is null ? null : CoapUri.Parse(value);
    }

    /// <summary>The parsed <see cref="BaseUri"/>.</summary>
    internal CoapUri? Base { get; init; }

    /// <summary>The servers that the client trusts over TLS, and the certificate that it presents.</summary>
    public TlsClientSettings Tls { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// The keys for "coaps" URIs, such as a <c>DtlsClientSettings</c> of the package CoAP.NET.Dtls. Default: <see langword="null"/>, requests to "coaps" URIs
    /// throw <see cref="NotSupportedException"/>.
    /// </summary>
    public DatagramSecurity? Dtls { get; init; }

    /// <summary>The waits between attempts to connect after a failure.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public ReconnectSettings Reconnect { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>The address that the client sends datagrams from. Default: <see langword="null"/>, any address and a free port.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public IPEndPoint? LocalEndPoint { get; init; }

    /// <summary>
    /// The name of the client on an in-memory <see cref="CoapEndpointSettings.Network"/>. It must not be in use there. Default: <see langword="null"/>, a name
    /// such as "endpoint-2".
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public string? NetworkName { get; init; }

    /// <summary>
    /// The number of local UDP ports that requests are spread over. Each port has its own message IDs, which allow about 260 requests per second to
    /// one peer (RFC 7252, section 4.4). Over DTLS, each port has a session of its own. Default: 1.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,024.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int LocalPorts { get; init => field = Bound.Within(value, 1, 1024); } = 1;

    /// <summary>
    /// The most local UDP ports of each lane of the client at the same time. When the message IDs of all ports to one peer are used up, which takes
    /// 64,512 requests in EXCHANGE_LIFETIME (247 s), the next request leaves from another port (RFC 7252, section 4.4). The client closes
    /// that port when it has not been used for EXCHANGE_LIFETIME. Without effect if <see cref="LocalEndPoint"/> has a port. Default: 256,
    /// which allow about 66,000 requests per second to one peer.
    /// </summary>
    /// <remarks>
    /// Over DTLS, each port has a session of its own. Set 1 for a server that allows one session per client, such as one with
    /// <c>DtlsServerSettings.ContinuesPeer</c>.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,024.</exception>
    public int MaxLocalPorts { get; init => field = Bound.Within(value, 1, 1024); } = 256;

    /// <summary>The settings of requests to groups, for calls without their own settings (RFC 7252, section 8).</summary>
    public MulticastRequestSettings Multicast { get; init => field = Bound.NotNull(value); } = new();

    /// <summary>
    /// The most multicast requests that wait for responses at the same time. One more fails at once with <see cref="CoapBusyException"/>. Default: 64.
    /// Each collects responses from an unknown number of servers.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxMulticastRequests { get; init => field = Bound.AtLeast(value, 1); } = 64;

    /// <summary>The cache of responses (RFC 7252, section 5.6). Default: <see langword="null"/>, responses are not cached.</summary>
    public ResponseCache? Cache { get; init; }

    /// <summary>
    /// The longest time for which the client obeys the Max-Age of a 4.29 (RFC 8516) or 5.03 (RFC 7252, section 5.9.3.4). Until it has passed, requests
    /// with the same method to the same resource get that response again, without a message. Default: 5 min. With zero, the client sends all requests. A response without Max-Age
    /// has no effect.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or longer than 24 hours.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxRetryAfter { get; init => field = Bound.Within(value, TimeSpan.Zero, TimeSpan.FromHours(24)); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// Creates and checks the tokens of <see cref="StatelessExtensions.SendStatelessAsync"/> (RFC 8974, section 3). Responses leave the mesh at
    /// <see cref="MeshArrow.StatelessResponses"/>. Default: <see langword="null"/>, the client sends no stateless requests.
    /// </summary>
    /// <remarks>An instance belongs to one client. The client does not dispose of it.</remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public StatelessTokens? StatelessTokens { get; init; }

    /// <summary>
    /// The time that the addresses of a host name are used before the client resolves the name again. Default: 5 min. After a failure, the client
    /// resolves the name at once.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan AddressLifetime { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The longest time that a whole call may take, from name resolution to the last byte of the response. After that, the call fails with
    /// <see cref="CoapTimeoutException"/>. For an observation, it limits only the registration. Default: <see langword="null"/>, no limit.
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> also means no limit. Calls without this limit still end because of
    /// <see cref="CoapEndpointSettings.RequestIdleTimeout"/> and <see cref="ClientTransferSettings.MinRate"/>. <see cref="CoapRequest.Timeout"/> overrides
    /// the value.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? Timeout { get; init => field = Bound.PositiveOrInfinite(value); }

    /// <summary>
    /// The largest number of links that <see cref="DiscoveryExtensions.DiscoverAsync"/> reads from the response of one endpoint, including wrong
    /// links that are skipped. A further link ends the discovery with <see cref="CoapTransferException"/>. If the response comes from a group member, its further links are ignored. Default: 100,000.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxDiscoveredLinks { get; init => field = Bound.AtLeast(value, 1); } = 100_000;

    internal override string? LocalName => NetworkName;

    internal override bool IsClient => true;

    internal override DatagramSecurity? Security => Dtls;

    internal override TimeSpan? CallTimeout => Timeout;

    internal override int MaxFurtherPorts => LocalEndPoint is { Port: > 0 } ? 0 : Math.Max(0, MaxLocalPorts - LocalPorts);

    internal override int MaxGroupRequests => MaxMulticastRequests;

    internal override StatelessTokens? Tokens => StatelessTokens;

    internal override ConnectSettings ForConnections() => base.ForConnections() with { Reconnect = Reconnect, Tls = Tls };
}
