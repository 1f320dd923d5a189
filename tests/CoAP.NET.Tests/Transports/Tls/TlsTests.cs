using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using CoAP.TestSupport;

namespace CoAP.Tests.Transports.Tls;

/// <summary>Connections over TLS, with real sockets (RFC 8323, sections 8.2 and 9.1).</summary>
[Trait("Category", "Loopback")]
public sealed class TlsTests : IDisposable
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    private readonly TestCertificates _certificates = new();

    public static TheoryData<ServerMode, bool> Ways() => new()
    {
        { ServerMode.Async, false }, { ServerMode.Async, true }, { ServerMode.AsyncSingle, false }, { ServerMode.AsyncSingle, true },
        { ServerMode.Sync, false }, { ServerMode.Sync, true },
    };

    public void Dispose() => _certificates.Dispose();

    [Theory, MemberData(nameof(Ways)), Trait("RFC", "8323 8.2"), Trait("RFC", "8323 9")]
    public async Task Requests_go_over_tls_in_every_mode_sync_and_async(ServerMode mode, bool isSync)
    {
        await using var server = StartServer(new() { Certificate = Certificate("127.0.0.1") }, mode);
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });
        var body = new byte[40_000];
        Random.Shared.NextBytes(body);

        var hello = isSync ? client.Get(UriOf(server, "hello")) : await client.GetAsync(UriOf(server, "hello"));
        var echo = isSync ? client.Post(UriOf(server, "echo"), body) : await client.PostAsync(UriOf(server, "echo"), body);

        hello.PayloadText.Should().Be("nobody");
        echo.Payload.ToArray().Should().Equal(body);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Many_requests_are_in_flight_at_once(bool isSync)
    {
        await using var server = StartServer(new() { Certificate = Certificate("127.0.0.1") }, isSync ? ServerMode.Sync : ServerMode.Async);
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });

        var answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(i => client.PostAsync(UriOf(server, "echo"), new byte[i * 100]).AsTask()));

        answers.Select(answer => answer.Payload.Length).Should().Equal(Enumerable.Range(0, 200).Select(i => i * 100));
        server.OpenConnections.Should().Be(1);
    }

    [Theory, InlineData(ServerMode.Async), InlineData(ServerMode.Sync), Trait("RFC", "8323 9.1")]
    public async Task A_handler_sees_the_certificate_of_the_client(ServerMode mode)
    {
        await using var server = StartServer(
            new() { Certificate = Certificate("127.0.0.1"), RequiresClientCertificate = true, ValidateClient = (_, one, _, _) => one!.Issuer == "CN=Test authority" }, mode);
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots, Certificate = _certificates.Issue("device-7") });

        var hello = await client.GetAsync(UriOf(server, "hello"));

        hello.PayloadText.Should().Be("CN=device-7");
    }

    [Theory, InlineData(ServerMode.Async), InlineData(ServerMode.Sync), Trait("RFC", "8323 9.1")]
    public async Task A_server_trusts_clients_with_certificates_of_its_roots(ServerMode mode)
    {
        using var strangers = new TestCertificates();
        await using var server = StartServer(
            new() { Certificate = Certificate("127.0.0.1"), RequiresClientCertificate = true, TrustedRoots = _certificates.Roots }, mode);
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots, Certificate = _certificates.Issue("device-7") });
        await using var stranger = NewClient(new() { TrustedRoots = _certificates.Roots, Certificate = strangers.Issue("device-7") });

        var hello = await client.GetAsync(UriOf(server, "hello"));
        var refused = () => stranger.GetAsync(UriOf(server, "hello")).AsTask();

        hello.PayloadText.Should().Be("CN=device-7");
        await refused.Should().ThrowAsync<CoapException>();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_untrusted_certificate_is_an_error_of_the_certificate(bool isSync)
    {
        await using var server = StartServer(new() { Certificate = Certificate("127.0.0.1") });
        await using var client = NewClient(new());

        var error = await FailAsync(client, UriOf(server, "hello"), isSync);

        error.Failure.Should().Be(TlsFailure.Certificate);
        error.Message.Should().Contain("CN=127.0.0.1").And.Contain("not trusted");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_certificate_for_somebody_else_is_an_error_of_the_name(bool isSync)
    {
        await using var server = StartServer(new() { Certificate = Certificate("elsewhere.example") });
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });

        var error = await FailAsync(client, UriOf(server, "hello"), isSync);

        error.Failure.Should().Be(TlsFailure.Name);
        error.Message.Should().Contain("elsewhere.example").And.Contain("127.0.0.1");
    }

    [Fact]
    public async Task An_expired_certificate_is_an_error_of_the_certificate()
    {
        using var expired = _certificates.Issue("127.0.0.1", isExpired: true);
        await using var server = StartServer(new() { Certificate = TlsCertificateSource.From(expired) });
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });

        var error = await FailAsync(client, UriOf(server, "hello"), isSync: false);

        error.Failure.Should().Be(TlsFailure.Certificate);
    }

    [Fact, Trait("RFC", "8323 9.1")]
    public async Task No_common_version_is_an_error_of_the_protocol()
    {
        await using var server = StartServer(new() { Certificate = Certificate("127.0.0.1"), Protocols = SslProtocols.Tls13 });
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots, Protocols = SslProtocols.Tls12 });

        var error = await FailAsync(client, UriOf(server, "hello"), isSync: false);

        error.Failure.Should().Be(TlsFailure.Protocol);
    }

    [Fact, Trait("RFC", "8323 8.2")]
    public async Task A_server_that_does_not_agree_on_the_protocol_is_left()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(AnyPort);
        listener.Listen();
        var serving = ServeWithoutAlpnAsync(listener);
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });

        var error = await FailAsync(client, $"coaps+tcp://{listener.LocalEndPoint}/hello", isSync: false);

        error.Failure.Should().Be(TlsFailure.Protocol);
        error.Message.Should().Contain("coap").And.Contain("5684");
        await serving;
    }

    [Theory, InlineData(ServerMode.Async), InlineData(ServerMode.Sync)]
    public async Task A_client_without_tls_is_closed_and_others_are_served(ServerMode mode)
    {
        // The clock stands still while the others are served, however long their handshakes take.
        var clock = new ManualClock();
        await using var server = StartServer(new() { Certificate = Certificate("127.0.0.1") }, mode, clock);
        using var silent = new TcpClient();
        using var noisy = new TcpClient();
        await silent.ConnectAsync(server.Endpoints[0].Address);
        await noisy.ConnectAsync(server.Endpoints[0].Address);
        await noisy.GetStream().WriteAsync(new byte[] { 0, 1, 2, 3, 4, 5, 6, 7 });
        await using var client = NewClient(new() { TrustedRoots = _certificates.Roots });

        var hello = await client.GetAsync(UriOf(server, "hello"));
        var ends = await clock.PassAsync(Task.WhenAll(EndOfAsync(silent), EndOfAsync(noisy)));

        hello.IsSuccess.Should().BeTrue();
        ends.Should().AllBeEquivalentTo(true);
    }

    [Fact]
    public async Task A_renewed_certificate_is_used_without_a_restart()
    {
        var (certificateFile, keyFile) = (Path.GetTempFileName(), Path.GetTempFileName());
        var clock = new ManualClock();
        Write(_certificates.Issue("old.example"), certificateFile, keyFile, DateTime.UtcNow.AddMinutes(-1));
        await using var server = StartServer(new() { Certificate = TlsCertificateSource.FromFiles(certificateFile, keyFile, clock) });
        await using var before = NewClient(new() { TrustedRoots = _certificates.Roots });
        await using var after = NewClient(new() { TrustedRoots = _certificates.Roots });

        var first = await FailAsync(before, UriOf(server, "hello"), isSync: false);
        Write(_certificates.Issue("127.0.0.1"), certificateFile, keyFile, DateTime.UtcNow);
        clock.Advance(TimeSpan.FromSeconds(2));
        var second = await after.GetAsync(UriOf(server, "hello"));

        first.Message.Should().Contain("old.example");
        second.IsSuccess.Should().BeTrue();
        File.Delete(certificateFile);
        File.Delete(keyFile);
    }

    [Fact]
    public void A_certificate_that_cannot_be_renewed_is_logged_once_and_the_old_one_stays()
    {
        var (certificateFile, keyFile) = (Path.GetTempFileName(), Path.GetTempFileName());
        var clock = new ManualClock();
        using var log = new TestLog();
        Write(_certificates.Issue("127.0.0.1"), certificateFile, keyFile, DateTime.UtcNow.AddMinutes(-1));
        var cut = TlsCertificateSource.FromFiles(certificateFile, keyFile, clock);
        cut.Logger = log.CreateLogger("test");
        var before = cut.Select("");

        File.WriteAllText(certificateFile, "garbage");
        for (var i = 0; i < 3; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(2));
            cut.Select("").Should().BeSameAs(before);
        }

        log.Lines(Microsoft.Extensions.Logging.LogLevel.Error).Should().ContainSingle().Which.Should().Contain(certificateFile);
        File.Delete(certificateFile);
        File.Delete(keyFile);
    }

    [Fact]
    public void A_tls_server_needs_a_certificate()
    {
        using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Tls(AnyPort)] });

        server.Invoking(one => one.Start()).Should().Throw<InvalidOperationException>().WithMessage("*certificate*");
    }

    [Fact, Trait("RFC", "8323 9.1")]
    public void Versions_before_1_2_are_refused()
    {
        var old = Enum.Parse<SslProtocols>("Tls");

        FluentActions.Invoking(() => new TlsServerSettings { Protocols = old }).Should().Throw<ArgumentException>().WithMessage("*1.2*");
        FluentActions.Invoking(() => new TlsClientSettings { Protocols = SslProtocols.None }).Should().Throw<ArgumentException>();
    }

    private static async Task<bool> EndOfAsync(TcpClient client)
    {
        try
        {
            var buffer = new byte[256];
            while (await client.GetStream().ReadAsync(buffer) > 0) { }
            return true;
        }
        catch (IOException) { return true; }
    }

    private static void Write(System.Security.Cryptography.X509Certificates.X509Certificate2 certificate, string certificateFile, string keyFile, DateTime at)
    {
        using var key = System.Security.Cryptography.X509Certificates.ECDsaCertificateExtensions.GetECDsaPrivateKey(certificate)!;
        File.WriteAllText(certificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(keyFile, key.ExportPkcs8PrivateKeyPem());
        File.SetLastWriteTimeUtc(certificateFile, at);
        File.SetLastWriteTimeUtc(keyFile, at);
    }

    private async Task ServeWithoutAlpnAsync(Socket listener)
    {
        using var accepted = await listener.AcceptAsync();
        await using var stream = new SslStream(new NetworkStream(accepted));
        await stream.AuthenticateAsServerAsync(_certificates.Issue("127.0.0.1"));
    }

    private TlsCertificateSource Certificate(string name) => TlsCertificateSource.From(_certificates.Issue(name));

    private static CoapServer StartServer(TlsServerSettings tls, ServerMode mode = ServerMode.Async, TimeProvider? time = null)
    {
        var endpoint = ServerEndpoint.Tls(AnyPort);
        var server = new CoapServer(new() { Endpoints = [endpoint], Tls = tls, Mode = mode, TimeProvider = time ?? TimeProvider.System });
        server.Resources.At("hello").Get(request => Response.Content(request.Credentials?.Certificate?.Subject ?? "nobody"));
        server.Resources.At("echo").Post(request => new CoapResponse(ResponseCode.Changed) { Payload = request.Payload });
        server.Start();
        return server;
    }

    private static CoapClient NewClient(TlsClientSettings tls) => new(new() { Tls = tls });

    private static string UriOf(CoapServer server, string path) => $"coaps+tcp://{server.Endpoints[0].Address}/{path}";

    private static async Task<CoapSecurityException> FailAsync(CoapClient client, string uri, bool isSync)
    {
        var call = () => isSync ? Task.Run(() => client.Get(uri)) : client.GetAsync(uri).AsTask();
        return (await call.Should().ThrowAsync<CoapSecurityException>()).Which;
    }
}
