using System.Net;

namespace CoAP;

/// <summary>One address that a server listens on, and the transport there.</summary>
public sealed record ServerEndpoint
{
    private ServerEndpoint(string scheme, IPEndPoint address) => (Scheme, Address) = (scheme, address);

    /// <summary>"coap+udp" or "coap+tcp".</summary>
    public string Scheme { get; }

    /// <summary>Address and port; port 0 picks a free one.</summary>
    public IPEndPoint Address { get; }

    internal bool IsUdp => Scheme == UdpScheme;

    private const string UdpScheme = "coap+udp";
    private const string TcpScheme = "coap+tcp";

    /// <summary>Datagrams (RFC 7252).</summary>
    public static ServerEndpoint Udp(IPEndPoint address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return new(UdpScheme, address);
    }

    /// <summary>Connections (RFC 8323).</summary>
    public static ServerEndpoint Tcp(IPEndPoint address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return new(TcpScheme, address);
    }

    /// <summary>Such as "coap+udp://127.0.0.1:5683".</summary>
    public override string ToString() => $"{Scheme}://{Address}";
}
