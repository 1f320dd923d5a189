using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using CoAP.Exchanges;
using CoAP.Testing;
using CoAP.Tests.Streams;
using CoAP.Tests.Transports.Tls;
using CoAP.Transports;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Connections and handshakes of one address, over real sockets.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class SocketsTests : IDisposable
{
    private const int Limit = 24;

    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);
    private static readonly IPAddress Honest = IPAddress.Parse("127.0.0.9");
    private static readonly byte[] GetHello = Hex.Bytes("00 e1 61 01 7a b5 68656c6c6f");

    private readonly TestCertificates _certificates = new();

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task An_honest_peer_connects_while_one_address_holds_all_connections_that_it_may(ServerMode mode)
    {
        await using var besieged = new BesiegedServer(mode, static settings => settings with { Tcp = new TcpSettings { MaxConnections = Limit }, Stream = new() });
        var book = besieged.Server.Lanes.OfType<ExchangeLane>().First().Ledger.Connections;

        var attackers = Enumerable.Range(0, 2 * Limit).Select(_ => besieged.Connect()).ToList();
        BesiegedServer.ReadToEnd(attackers[^1]).Should().BeEmpty("it is closed without a CSM");
        book.Used.Should().Be(Limit / 2);
        using (var honest = Connect(besieged.Server.Endpoints[0].Address)) { Serve(new NetworkStream(honest)); }

        attackers.ForEach(BesiegedServer.Reset);
        besieged.AskUntil(() => book.Used == 1).Should().BeTrue("only the connection that was there before is left");
    }

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.Sync)]
    public async Task An_honest_peer_ends_its_handshake_while_one_address_begins_all_that_it_may(ServerMode mode)
    {
        var tls = new TlsServerSettings
        {
            Certificate = TlsCertificateSource.From(_certificates.Issue("127.0.0.1")),
            MaxConcurrentHandshakes = Limit,
            HandshakeTimeout = TimeSpan.FromMinutes(1),
        };
        await using var besieged = new BesiegedServer(mode, settings => settings with { Tls = tls, Stream = new() }, ServerEndpoint.Tls(AnyPort));
        var ledger = besieged.Server.Lanes.OfType<ExchangeLane>().First().Ledger;
        var address = besieged.Server.Endpoints[1].Address;

        var attackers = Enumerable.Range(0, 2 * Limit).Select(_ => BesiegedServer.Connect(address)).ToList();
        BesiegedServer.ReadToEnd(attackers[^1]).Should().BeEmpty("it is closed without a handshake");
        ledger.Handshakes.Used.Should().Be(Limit / 2);
        using (var honest = Connect(address)) { Serve(Secure(honest)); }

        attackers.ForEach(BesiegedServer.Reset);
        besieged.AskUntil(() => (ledger.Handshakes.Used, ledger.Connections.Used) == (0, 1)).Should().BeTrue("only the connection that was there before is left");
    }

    private static Socket Connect(EndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = (int)RawPeer.Patience.TotalMilliseconds };
        socket.Bind(new IPEndPoint(Honest, 0));
        socket.Connect(address);
        return socket;
    }

    private SslStream Secure(Socket socket)
    {
        var secured = new SslStream(new NetworkStream(socket));
        secured.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "127.0.0.1",
            ApplicationProtocols = [new("coap")],
            CertificateChainPolicy = TlsProtocols.Trusting(_certificates.Roots, X509RevocationMode.NoCheck),
        });
        return secured;
    }

    private static void Serve(Stream stream)
    {
        stream.Write(GetHello);
        var received = "";
        var buffer = new byte[256];
        while (!received.EndsWith("ff68656c6c6f", StringComparison.Ordinal))
        {
            var count = stream.Read(buffer);
            count.Should().BePositive("the server must not close");
            received += Hex.Text(buffer.AsSpan(0, count));
        }
    }
}
