using System.Net;
using CoAP.Streams;

namespace CoAP;

/// <summary>What a client sends from and how it connects.</summary>
public sealed record CoapClientSettings : CoapEndpointSettings
{
    /// <summary>Where names point to on an in-memory network, which may change as it does with hosts.</summary>
    internal Func<string, string> NamesOnNetwork { get; init; } = static name => name;

    /// <summary>Whom the client trusts over TLS, and what it shows of itself.</summary>
    public TlsClientSettings Tls { get; init; } = new();

    /// <summary>How attempts to connect are spaced where they fail.</summary>
    public ReconnectSettings Reconnecting { get; init; } = new();

    /// <summary>The address that datagrams are sent from; any address and a port of the system's choice by default.</summary>
    public IPEndPoint? LocalEndPoint { get; init; }

    /// <summary>
    /// The local UDP ports that requests are spread over, 1 by default. Each has message IDs of its own: a strict client needs one for every
    /// 260 requests a second to the same peer (RFC 7252, section 4.4).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,024.</exception>
    public int LocalPorts { get; init => field = Bound.Within(value, 1, 1024); } = 1;

    /// <summary>How requests are sent to groups, unless a call says otherwise (RFC 7252, section 8).</summary>
    public MulticastRequestSettings Multicast { get; init; } = new();

    /// <summary>The multicast requests that may wait for answers at the same time; 64 by default. One more fails at once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxMulticastRequests { get; init => field = Bound.AtLeast(value, 1); } = 64;

    /// <summary>Where responses are kept for use again; none by default (RFC 7252, section 5.6).</summary>
    public ResponseCache? Cache { get; init; }

    /// <summary>
    /// Makes and takes the tokens of <see cref="StatelessExtensions.SendStatelessAsync"/>; none by default (RFC 8974, section 3). Its responses come at
    /// <see cref="MeshArrow.StatelessResponses"/>. Of one client, and not disposed of by it.
    /// </summary>
    public StatelessTokens? StatelessTokens { get; init; }

    /// <summary>How long the addresses of a name are used before it is resolved again; 5 minutes by default. After a failure it is resolved at once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan AddressLifetime { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    internal override int MaxGroupRequests => MaxMulticastRequests;

    internal override StatelessTokens? Tokens => StatelessTokens;

    internal override ConnectSettings ForConnections() => base.ForConnections() with { Reconnecting = Reconnecting, Tls = Tls };
}
