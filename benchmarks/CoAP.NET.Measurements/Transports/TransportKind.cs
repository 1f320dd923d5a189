using System.Net;
using System.Security.Cryptography.X509Certificates;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Transports;

/// <summary>A transport as it is measured.</summary>
/// <param name="Name">As in the tables.</param>
/// <param name="Address">What the server calls its port.</param>
/// <param name="Scheme">Of its URIs; none where the server is found by a path.</param>
internal sealed record TransportKind(string Name, string Address, string? Scheme)
{
    /// <summary>Large bodies go in sets of blocks (RFC 9177), which needs them in memory.</summary>
    public bool IsRobust { get; private init; }

    public bool IsDatagram => Address == "udp";

    public static IReadOnlyList<TransportKind> All { get; } =
    [
        new("UDP block-wise", "udp", "coap"),
        new("UDP Q-Block", "udp", "coap") { IsRobust = true },
        new("TCP", "tcp", "coap+tcp"),
        new("TLS", "tls", "coaps+tcp"),
        new("WebSocket", "ws", "coap+ws"),
        new("Unix socket", "unix", null),
    ];

    public const string Later = "QUIC/WebTransport";

    /// <summary>A client with sockets of its own.</summary>
    public async Task<TransportClient> OpenAsync(ServerProcess server, int outstanding = 1)
    {
        var client = new CoapClient(Settings.Client with
        {
            Tls = new TlsClientSettings { TrustedRoots = [X509CertificateLoader.LoadCertificate(Convert.FromBase64String(server["certificate"]))] },
            Transfers = new TransferSettings { RobustMode = IsRobust ? RobustMode.WhenSupported : RobustMode.Off, MaxResponseBody = Array.MaxLength },
        });
        if (Scheme is null) { return new TransportClient(client, "", await client.OpenUnixAsync(server[Address])); }
        var port = int.Parse(server[Address], System.Globalization.CultureInfo.InvariantCulture);
        if (IsDatagram && outstanding > 1) { client.SetNStart(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port)), outstanding); }
        return new TransportClient(client, $"{Scheme}://127.0.0.1:{port}", null);
    }
}
