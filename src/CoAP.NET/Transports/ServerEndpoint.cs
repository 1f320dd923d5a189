using System.Net;

namespace CoAP;

/// <summary>One address that a server listens on, and the transport there.</summary>
public sealed record ServerEndpoint
{
    private const string UdpScheme = "coap+udp";
    private const string DtlsScheme = "coaps+udp";
    private const string TcpScheme = "coap+tcp";
    private const string TlsScheme = "coaps+tcp";
    private const string UnixScheme = "coap+unix";
    private const string InMemoryScheme = "in-memory";
    private static readonly IPEndPoint Nowhere = new(IPAddress.None, 0);

    private ServerEndpoint(string scheme, IPEndPoint address)
    {
        ArgumentNullException.ThrowIfNull(address);
        (Scheme, Address) = (scheme, address);
    }

    /// <summary>The transport: "coap+udp", "coaps+udp", "coap+tcp", "coaps+tcp", "coap+unix" or "in-memory".</summary>
    public string Scheme { get; }

    /// <summary>The address and the port. With port 0, the system chooses a free port.</summary>
    public IPEndPoint Address { get; }

    /// <summary>The name on an in-memory network; <see langword="null"/> for other transports.</summary>
    public string? Name { get; private init; }

    internal bool IsUdp => Scheme == UdpScheme;

    internal bool IsDtls => Scheme == DtlsScheme;

    /// <summary>The path of a local socket; <see langword="null"/> for other transports.</summary>
    public string? UnixPath { get; private init; }

    internal bool IsTls => Scheme == TlsScheme;

    internal bool IsTcp => Scheme == TcpScheme;

    /// <summary>Creates an endpoint for datagrams (RFC 7252).</summary>
    public static ServerEndpoint Udp(IPEndPoint address) => new(UdpScheme, address);

    /// <summary>
    /// Creates an endpoint for DTLS over UDP (RFC 7252, section 9), for "coaps" URIs. <see cref="CoapServerSettings.Dtls"/> contains the keys. The usual
    /// port is 5684.
    /// </summary>
    public static ServerEndpoint Dtls(IPEndPoint address) => new(DtlsScheme, address);

    /// <summary>Creates an endpoint for TCP connections (RFC 8323).</summary>
    public static ServerEndpoint Tcp(IPEndPoint address) => new(TcpScheme, address);

    /// <summary>Creates an endpoint for TLS connections (RFC 8323, section 8.2). <see cref="CoapServerSettings.Tls"/> has the certificate.</summary>
    public static ServerEndpoint Tls(IPEndPoint address) => new(TlsScheme, address);

    /// <summary>Creates an endpoint for programs on the same machine, over a local socket. Messages are framed as over TCP.</summary>
    /// <remarks>The permissions of the file's directory decide who may connect. The file is removed when the server ends.</remarks>
    /// <param name="path">The file of the socket, at most about 100 bytes long.</param>
    public static ServerEndpoint Unix(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new(UnixScheme, Nowhere) { UnixPath = path };
    }

    /// <summary>
    /// Creates an endpoint on the in-memory network of the settings, for tests. Clients on that network use
    /// "coap://name" and "coap+tcp://name", and "coaps://name" if the settings have <see cref="CoapServerSettings.Dtls"/>.
    /// </summary>
    public static ServerEndpoint InMemory(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return new(InMemoryScheme, Nowhere) { Name = name.ToLowerInvariant() };
    }

    /// <summary>Returns the endpoint with the address that was bound.</summary>
    internal ServerEndpoint At(EndPoint bound) => bound is IPEndPoint address ? new(Scheme, address) : this;

    /// <summary>Returns the endpoint as text, such as "coap+udp://127.0.0.1:5683".</summary>
    public override string ToString() => $"{Scheme}://{Name ?? UnixPath ?? Address.ToString()}";
}
