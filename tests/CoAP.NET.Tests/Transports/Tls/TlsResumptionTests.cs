using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using CoAP.Transports;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Transports.Tls;

/// <summary>
/// A second connection to the same server resumes the session of the first. .NET does not report it, so the test reads the bytes of the server:
/// in TLS 1.2 no Certificate comes before ChangeCipherSpec (RFC 5246, section 7.3), in TLS 1.3 ServerHello has a pre_shared_key (RFC 8446, section 2.2).
/// </summary>
[Trait("Category", "Loopback")]
public sealed class TlsResumptionTests : IDisposable
{
    // .NET keeps sessions by host name, so it keeps none for a server that is named by its address.
    private const string Name = "server.example";

    private readonly TestCertificates _certificates = new();
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public TlsResumptionTests()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
    }

    public static TheoryData<SslProtocols, bool, bool> Ways()
    {
        var ways = new TheoryData<SslProtocols, bool, bool>();
        foreach (var version in new[] { SslProtocols.Tls12, SslProtocols.Tls13 })
        {
            foreach (var (isSync, hasCertificate) in new[] { (false, false), (true, false), (false, true), (true, true) })
            {
                ways.Add(version, isSync, hasCertificate);
            }
        }
        return ways;
    }

    public void Dispose()
    {
        _listener.Dispose();
        _certificates.Dispose();
    }

    [Theory, MemberData(nameof(Ways)), Trait("RFC", "8323 9.1")]
    public async Task The_second_connection_resumes_the_session_of_the_first(SslProtocols version, bool isSync, bool hasCertificate)
    {
        var server = ServerSettings(hasCertificate);
        var client = ClientSettings(version, hasCertificate);

        var first = await ConnectAsync(server, client, isSync);
        var second = await ConnectAsync(server, client, isSync);

        (first, second).Should().Be((false, true));
    }

    [Theory, InlineData(SslProtocols.Tls12, true), InlineData(SslProtocols.Tls13, true), InlineData(SslProtocols.Tls12, false), InlineData(SslProtocols.Tls13, false)]
    public async Task Either_side_can_disable_it(SslProtocols version, bool isServer)
    {
        var server = ServerSettings(hasCertificate: false) with { AllowsResumption = !isServer };
        var client = ClientSettings(version, hasCertificate: false) with { AllowsResumption = isServer };

        await ConnectAsync(server, client, isSync: false);

        (await ConnectAsync(server, client, isSync: false)).Should().BeFalse();
    }

    [Theory, InlineData(SslProtocols.Tls12), InlineData(SslProtocols.Tls13)]
    public async Task A_client_with_a_session_sees_a_renewed_certificate(SslProtocols version)
    {
        var before = ServerSettings(hasCertificate: false);
        var after = before with { Certificate = TlsCertificateSource.From(_certificates.Issue(Name)) };
        var client = ClientSettings(version, hasCertificate: false);
        await ConnectAsync(before, client, isSync: false);

        (await ConnectAsync(after, client, isSync: false)).Should().BeFalse();
    }

    [Theory, InlineData(SslProtocols.Tls12), InlineData(SslProtocols.Tls13)]
    public async Task A_session_does_not_help_a_client_that_the_server_now_refuses(SslProtocols version)
    {
        var isRevoked = false;
        var asked = 0;
        var server = ServerSettings(hasCertificate: true) with { ValidateClient = (_, _, _, _) => Interlocked.Increment(ref asked) > 0 && !isRevoked };
        var client = ClientSettings(version, hasCertificate: true);
        await ConnectAsync(server, client, isSync: false);

        var resumed = await ConnectAsync(server, client, isSync: false);
        isRevoked = true;
        var refused = () => ConnectAsync(server, client, isSync: false);

        resumed.Should().BeTrue();
        await refused.Should().ThrowAsync<IOException>();
        asked.Should().Be(3, "the certificate is judged for each connection, also one that resumes a session");
    }

    [Theory, InlineData(SslProtocols.Tls12), InlineData(SslProtocols.Tls13)]
    public async Task A_session_of_one_client_does_not_help_another_client_with_other_roots(SslProtocols version)
    {
        using var others = new TestCertificates();
        var server = ServerSettings(hasCertificate: false);
        await ConnectAsync(server, ClientSettings(version, hasCertificate: false), isSync: false);

        var connect = () => ConnectAsync(server, ClientSettings(version, hasCertificate: false) with { TrustedRoots = others.Roots }, isSync: false);

        (await connect.Should().ThrowAsync<TlsHandshakeException>()).Which.Failure.Should().Be(TlsFailure.Certificate);
    }

    [SkippableTheory, InlineData(SslProtocols.Tls12), InlineData(SslProtocols.Tls13), Trait("RFC", "8323 9.1")]
    public async Task A_session_of_OpenSSLs_server_is_resumed(SslProtocols version)
    {
        Skip.IfNot(OpenSsl.IsThere, "needs the program openssl");
        using var server = OpenSsl.Serve(_certificates.Issue(Name));
        var address = await server.AddressAsync();

        var first = await AskAsync(address, version);
        var second = await AskAsync(address, version);

        (first, second).Should().Be((false, true));
    }

    [SkippableTheory]
    [InlineData(SslProtocols.Tls12, ServerMode.Async), InlineData(SslProtocols.Tls13, ServerMode.Async), InlineData(SslProtocols.Tls12, ServerMode.Sync), InlineData(SslProtocols.Tls13, ServerMode.Sync)]
    [Trait("RFC", "8323 9.1")]
    public async Task OpenSSLs_client_resumes_a_session_of_our_server(SslProtocols version, ServerMode mode)
    {
        Skip.IfNot(OpenSsl.IsThere, "needs the program openssl");
        // The program may take its time, and it never sends a CSM.
        var patience = TimeSpan.FromMinutes(1);
        await using var server = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Tls(new IPEndPoint(IPAddress.Loopback, 0))],
            Mode = mode,
            Tls = ServerSettings(hasCertificate: false) with { Protocols = version, HandshakeTimeout = patience },
            Stream = new() { CsmTimeout = patience },
        });
        server.Start();
        var session = Path.GetTempFileName();

        var first = await OpenSsl.ConnectAsync(server.Endpoints[0].Address, "-servername", Name, "-sess_out", session);
        var second = await OpenSsl.ConnectAsync(server.Endpoints[0].Address, "-servername", Name, "-sess_in", session);
        File.Delete(session);

        first.Should().Contain("New, TLSv1.").And.Contain("ALPN protocol: coap");
        second.Should().Contain("Reused, TLSv1.");
    }

    // openssl s_server -rev answers a line with its letters in reverse order.
    private async Task<bool> AskAsync(IPEndPoint address, SslProtocols version)
    {
        using var below = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await below.ConnectAsync(address);
        var recorded = new RecordedStream(below);
        await using var client = await new TlsClientHandshake(ClientSettings(version, hasCertificate: false), Name, 1).RunAsync(recorded, isBlocking: false, default);
        await client.WriteAsync("abc\n"u8.ToArray());
        var answer = new byte[4];
        await client.ReadExactlyAsync(answer);
        answer.Should().Equal("cba\n"u8.ToArray());
        await client.ShutdownAsync();
        return IsResumed(recorded.Received);
    }

    private TlsServerSettings ServerSettings(bool hasCertificate) => new()
    {
        Certificate = TlsCertificateSource.From(_certificates.Issue(Name)),
        RequiresClientCertificate = hasCertificate,
        TrustedRoots = hasCertificate ? _certificates.Roots : null,
    };

    private TlsClientSettings ClientSettings(SslProtocols version, bool hasCertificate) => new()
    {
        TrustedRoots = _certificates.Roots,
        Protocols = version,
        Certificate = hasCertificate ? _certificates.Issue("device-7") : null,
    };

    private async Task<bool> ConnectAsync(TlsServerSettings serverSettings, TlsClientSettings clientSettings, bool isSync)
    {
        using var below = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        below.Connect(_listener.LocalEndPoint!);
        var accepted = _listener.Accept();
        var recorded = new RecordedStream(below);
        var server = new TlsServerHandshake(serverSettings, ServerLimits.Default, NullLogger.Instance);
        var peer = PeerIdentity.From("client");
        var accepting = isSync
            ? Task.Factory.StartNew(
                () => server.RunAsync(new NetworkStream(accepted, ownsSocket: true), peer, isSync),
                default, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()
            : server.RunAsync(new NetworkStream(accepted, ownsSocket: true), peer, isSync);
        var handshake = new TlsClientHandshake(clientSettings, Name, 1);
        await using var client = await handshake.RunAsync(recorded, isSync, default);
        await using var secured = await accepting;
        // As with CoAP, the server sends and the client reads, so that the tickets of TLS 1.3 arrive.
        await secured.WriteAsync(new byte[1]);
        await client.ReadExactlyAsync(new byte[1]);
        await client.ShutdownAsync();
        return IsResumed(recorded.Received);
    }

    private static bool IsResumed(List<byte> bytes)
    {
        var handshake = new List<byte>();
        for (var at = 0; bytes[at] != 20;)      // ChangeCipherSpec, which TLS 1.3 sends for old middleboxes
        {
            var length = (bytes[at + 3] << 8) + bytes[at + 4];
            handshake.AddRange(bytes.GetRange(at + 5, length));
            at += 5 + length;
        }
        var hello = handshake.GetRange(4, (handshake[1] << 16) + (handshake[2] << 8) + handshake[3]);
        var extensions = ExtensionsOf(hello);
        return extensions.Contains(43)                          // supported_versions: 1.3
            ? extensions.Contains(41)                           // pre_shared_key
            : handshake.Count == 4 + hello.Count || handshake[4 + hello.Count] != 11;      // Certificate
    }

    private static List<int> ExtensionsOf(List<byte> hello)
    {
        var found = new List<int>();
        var at = 2 + 32 + 1 + hello[34] + 3 + 2;        // version, random, session ID, cipher and compression, length of all
        while (at < hello.Count)
        {
            found.Add((hello[at] << 8) + hello[at + 1]);
            at += 4 + (hello[at + 2] << 8) + hello[at + 3];
        }
        return found;
    }

    private sealed class RecordedStream(Socket socket) : NetworkStream(socket)
    {
        public List<byte> Received { get; } = [];

        public override int Read(Span<byte> buffer)
        {
            var count = Socket.Receive(buffer);
            Received.AddRange(buffer[..count]);
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var count = await Socket.ReceiveAsync(buffer, cancellationToken);
            Received.AddRange(buffer.Span[..count]);
            return count;
        }
    }
}
