using System.Diagnostics.CodeAnalysis;
using System.Net;
using CoAP.Transports;

namespace CoAP;

/// <summary>One address that a server listens on, and the transport there.</summary>
public sealed record ServerEndpoint
{
    private const string UdpScheme = "coap";
    private const string DtlsScheme = "coaps";
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

    /// <summary>The transport: "coap", "coaps", "coap+tcp", "coaps+tcp", "coap+unix" or "in-memory".</summary>
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

    /// <summary>Reads an endpoint from text, such as "coap://*:5683", "coaps+tcp://[::1]:5684" or "coap+unix:///run/coap.sock".</summary>
    /// <remarks>
    /// <para>The schemes are those of <see cref="Scheme"/>, and "coap" and "coaps" for datagrams. The default port is 5683, and 5684 with security
    /// (RFC 7252, section 6). An empty port is the default port. "*" stands for all
    /// addresses of the machine, IPv6 and IPv4. An IPv6 address is in brackets. Its zone follows "%25", as in
    /// "coap://[fe80::1%25eth0]" (RFC 6874, section 2); a bare "%" is accepted.</para>
    /// <para>"localhost" stands for two addresses. Only <see cref="ParseAll"/> accepts it.</para>
    /// </remarks>
    /// <exception cref="FormatException">The text is no endpoint. The message says what to write instead.</exception>
    public static ServerEndpoint Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!ServerEndpointText.TryRead(text, out var endpoints, out var error)) { throw new FormatException(error); }
        return endpoints is [var endpoint] ? endpoint : throw new FormatException(
            $"Endpoint '{text}' stands for two addresses; write {endpoints[0]} or {endpoints[1]}, or call ParseAll.");
    }

    /// <summary>Reads an endpoint from text, as <see cref="Parse"/> does, and returns <see langword="false"/> if the text is no single endpoint.</summary>
    public static bool TryParse([NotNullWhen(true)] string? text, [NotNullWhen(true)] out ServerEndpoint? endpoint)
    {
        endpoint = text is not null && ServerEndpointText.TryRead(text, out var endpoints, out _) && endpoints is [var one] ? one : null;
        return endpoint is not null;
    }

    /// <summary>Reads endpoints that are separated by semicolons, as <see cref="Parse"/> does. "localhost" stands for 127.0.0.1 and [::1].</summary>
    /// <exception cref="FormatException">A part of the text is no endpoint. The message says what to write instead.</exception>
    public static IReadOnlyList<ServerEndpoint> ParseAll(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var all = new List<ServerEndpoint>();
        foreach (var part in text.Split(';', StringSplitOptions.TrimEntries))
        {
            if (!ServerEndpointText.TryRead(part, out var endpoints, out var error)) { throw new FormatException(error); }
            all.AddRange(endpoints);
        }
        return all;
    }

    /// <summary>Returns the endpoint with the address that was bound.</summary>
    internal ServerEndpoint At(EndPoint bound) => bound is IPEndPoint address ? new(Scheme, address) : this;

    /// <summary>Returns the endpoint as text, such as "coap://127.0.0.1:5683". <see cref="Parse"/> reads it.</summary>
    public override string ToString() => $"{Scheme}://{Name ?? UnixPath ?? TextOf(Address)}";

    // In a URI, a zone follows "%25" (RFC 6874, section 2).
    private static string TextOf(IPEndPoint address) => address.ToString().Replace("%", "%25", StringComparison.Ordinal);
}
