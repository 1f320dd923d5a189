using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using CoAP.Exchanges;
using CoAP.Tests.Streams;
using CoAP.Tests.Transports.Tls;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Connections, handshakes, turns and unsent bytes of one address, over real sockets.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class SocketsTests : IDisposable
{
    private const int Limit = 24;

    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);
    private static readonly IPAddress Attacker = IPAddress.Parse("127.0.0.8");
    private static readonly IPAddress Honest = IPAddress.Parse("127.0.0.9");

    // A CSM with a large Max-Message-Size.
    private static readonly byte[] Csm = Hex.Bytes("30 e1 22 ff ff");
    private static readonly byte[] GetHello = Hex.Bytes("61 01 7a b5 68656c6c6f");
    private static readonly byte[] ManyHellos = [.. Enumerable.Repeat(GetHello, 2000).SelectMany(static hello => hello)];
    private static readonly byte[] ManyLarge = [.. Enumerable.Repeat(Hex.Bytes("61 01 7a b5 6c61726765"), 2000).SelectMany(static large => large)];

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
        using (var honest = Connect(besieged.Address, Honest)) { Serve(new NetworkStream(honest)); }

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
        using (var honest = Connect(address, Honest)) { Serve(Secure(honest)); }

        attackers.ForEach(BesiegedServer.Reset);
        besieged.AskUntil(() => (ledger.Handshakes.Used, ledger.Connections.Used) == (0, 1)).Should().BeTrue("only the connection that was there before is left");
    }

    [Fact]
    public async Task An_honest_peer_is_served_while_one_address_asks_for_more_than_it_reads()
    {
        await using var besieged = new BesiegedServer(change: static settings => settings with { MaxInFlightSize = 4 << 20, Stream = new() });
        var book = besieged.Server.Lanes.OfType<ExchangeLane>().First().Ledger.UnsentBytes;
        var attackers = Enumerable.Range(0, 8).Select(_ => Attack(besieged.Address)).ToList();
        attackers.ForEach(static attacker => attacker.Send(ManyLarge, SocketFlags.None, out _));
        besieged.AskUntil(() => book.Used > book.Limit / 4).Should().BeTrue();

        using (var honest = Connect(besieged.Address, Honest)) { Serve(new NetworkStream(honest)); }

        book.Used.Should().BeLessThanOrEqualTo(book.Limit);
        attackers.ForEach(BesiegedServer.Reset);
        besieged.AskUntil(() => book.Used == 0).Should().BeTrue();
    }

    [Fact]
    public async Task An_honest_peer_has_its_turns_while_one_address_pipelines_without_end()
    {
        await using var besieged = new BesiegedServer(change: static settings => settings with { Stream = new() });
        var attackers = Enumerable.Range(0, 16).Select(_ => Attack(besieged.Address)).ToList();
        using var over = new CancellationTokenSource();
        var attack = Task.Factory.StartNew(() => Pipeline(attackers, over.Token), TaskCreationOptions.LongRunning);

        using (var honest = Connect(besieged.Address, Honest))
        {
            var stream = new NetworkStream(honest);
            Serve(stream);
            for (var i = 0; i < 100; i++) { Ask(stream); }
        }

        over.Cancel();
        (await attack).Should().BeGreaterThan(100 * GetHello.Length, "the attackers are answered, too");
        attackers.ForEach(BesiegedServer.Reset);
    }

    // Returns the number of bytes that were received.
    private static long Pipeline(List<Socket> attackers, CancellationToken over)
    {
        var (received, buffer) = (0L, new byte[64 << 10]);
        var sent = new int[attackers.Count];
        for (var i = 0; !over.IsCancellationRequested; i = (i + 1) % sent.Length)
        {
            // The system may take a part of a message.
            sent[i] += attackers[i].Send(ManyHellos.AsSpan(sent[i] % GetHello.Length), SocketFlags.None, out _);
            received += attackers[i].Receive(buffer, SocketFlags.None, out _);
        }
        return received;
    }

    private static Socket Attack(EndPoint address)
    {
        var socket = Connect(address, Attacker);
        socket.Send(Csm);
        socket.Blocking = false;
        return socket;
    }

    private static Socket Connect(EndPoint address, IPAddress from)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = (int)RawPeer.Patience.TotalMilliseconds };
        socket.Bind(new IPEndPoint(from, 0));
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
        stream.Write(Csm);
        Ask(stream);
    }

    private static void Ask(Stream stream)
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
