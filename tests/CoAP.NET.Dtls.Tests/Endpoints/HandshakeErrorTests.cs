using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Each reason why a session cannot begin has an error of its own.</summary>
public sealed class HandshakeErrorTests : IDisposable
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    private readonly TestAuthority _authority = new();
    private readonly TestAuthority _stranger = new("CN=Stranger");

    private X509Certificate2Collection Roots => [_authority.Root];

    public void Dispose()
    {
        _authority.Dispose();
        _stranger.Dispose();
    }

    [Fact, Trait("RFC", "4279 2")]
    public async Task A_wrong_key()
    {
        await using var cut =
            HurriedPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = new("device-7", "another key"u8) });

        (await FailAsync<CoapSecurityException>(cut)).Failure.Should().Be(TlsFailure.Key);
    }

    [Fact, Trait("RFC", "4279 2")]
    public async Task An_unknown_identity()
    {
        await using var cut =
            HurriedPair(new() { PreSharedKeys = PskStore.From(Key) }, new() { PreSharedKey = new("device-8", "a key of 16 bytes"u8) });

        var error = await FailAsync<CoapSecurityException>(cut);

        error.Failure.Should().Be(TlsFailure.Key);
        // On a machine under load, the alert of the server may come before the client gives up. Then a comma is in between.
        error.Message.Should().Contain("another key for this identity ('device-8')").And.Contain("or does not know it");
    }

    [Fact, Trait("RFC", "4279 2")]
    public async Task A_store_that_fails_does_not_claim_that_the_identity_is_unknown()
    {
        var failing = PskStore.From(static _ => throw new InvalidOperationException("no database"));
        await using var cut = HurriedPair(new() { PreSharedKeys = failing }, new() { PreSharedKey = Key });

        (await FailAsync<CoapSecurityException>(cut)).Message.Should().Contain("InternalError (80)");
    }

    [Fact]
    public async Task An_exception_of_a_callback_becomes_the_inner_exception()
    {
        var thrown = new InvalidOperationException("no keys");
        await using var cut = Pair(new() { PreSharedKeys = PskStore.From(Key) }, new() { SelectPreSharedKey = _ => throw thrown });

        var error = await FailAsync<CoapSecurityException>(cut);

        error.InnerException.Should().BeSameAs(thrown);
        (error.Failure, error.Message).Should().Match<(TlsFailure Failure, string Message)>(static one =>
            one.Failure == TlsFailure.Key && one.Message.Contains("SelectPreSharedKey threw InvalidOperationException: no keys."));
    }

    [Theory, Trait("RFC", "7252 9.1.3.3"), InlineData("expired", TlsFailure.Certificate), InlineData("foreign", TlsFailure.Certificate), InlineData("other name", TlsFailure.Name)]
    public async Task A_certificate_of_a_server(string problem, TlsFailure failure)
    {
        using var certificate = problem switch
        {
            "expired" => _authority.IssueServer("127.0.0.1", isExpired: true),
            "foreign" => _stranger.IssueServer("127.0.0.1"),
            _ => _authority.IssueServer("other.example"),
        };
        await using var cut = Pair(new() { Certificate = TlsCertificateSource.From(certificate) }, new() { TrustedRoots = Roots });

        var error = await FailAsync<CoapSecurityException>(cut);

        error.Failure.Should().Be(failure);
        error.Message.Should().Contain(certificate.Subject);
    }

    [Theory, Trait("RFC", "7252 9.1.3.3")]
    [InlineData("expired", true), InlineData("expired", false), InlineData("foreign", true), InlineData("of a server", true)]
    public async Task A_certificate_of_a_client(string problem, bool isRequired)
    {
        using var ofServer = _authority.IssueServer("127.0.0.1");
        using var ofClient = problem switch
        {
            "expired" => _authority.IssueClient("device-9", isExpired: true),
            "foreign" => _stranger.IssueClient("device-9"),
            _ => _authority.IssueServer("device-9"),
        };
        var server = new DtlsServerSettings
        {
            Certificate = TlsCertificateSource.From(ofServer),
            TrustedRoots = Roots,
            RequiresClientCertificate = isRequired,
        };
        await using var cut = Pair(server, new() { TrustedRoots = Roots, Certificate = ofClient });

        (await FailAsync<CoapSecurityException>(cut)).Failure.Should().Be(TlsFailure.Certificate);
    }

    [Fact, Trait("RFC", "7252 9.1.3.3")]
    public async Task Certificates_of_both_sides_are_accepted_and_the_one_of_the_client_is_required()
    {
        using var ofServer = _authority.IssueServer("localhost");
        using var ofClient = _authority.IssueClient("device-9");
        var server = new DtlsServerSettings { Certificate = TlsCertificateSource.From(ofServer), TrustedRoots = Roots, RequiresClientCertificate = true };

        await using (var with = Pair(server, new() { TrustedRoots = Roots, Certificate = ofClient }))
        {
            (await with.Client.GetAsync(with.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who")).PayloadText.Should().Be("CN=device-9");
        }
        await using var without = Pair(server, new() { TrustedRoots = Roots });
        var ask = async () => await without.Client.GetAsync(without.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who");
        var error = (await ask.Should().ThrowAsync<CoapSecurityException>()).Which;
        error.Failure.Should().Be(TlsFailure.Certificate);
        error.Message.Should().Contain("HandshakeFailure").And.Contain("requires a certificate");
    }

    // The server keeps the certificate of each client.
    [Fact]
    public async Task A_client_with_a_large_certificate_is_refused()
    {
        using var ofServer = _authority.IssueServer("127.0.0.1");
        using var ofClient = _authority.IssueClient("device-9", static names =>
        {
            for (var i = 0; i < 500; i++) { names.AddDnsName($"device-{i}.example.com"); }
        });
        var server = new DtlsServerSettings { Certificate = TlsCertificateSource.From(ofServer), TrustedRoots = Roots, RequiresClientCertificate = true };
        await using var cut = Pair(server, new() { TrustedRoots = Roots, Certificate = ofClient });

        (await FailAsync<CoapSecurityException>(cut)).Failure.Should().Be(TlsFailure.Certificate);
    }

    [Fact]
    public async Task A_server_with_both_kinds_of_keys_does_what_the_client_prefers()
    {
        using var certificate = _authority.IssueServer("localhost");
        await using var cut = Pair(new() { PreSharedKeys = PskStore.From(Key), Certificate = TlsCertificateSource.From(certificate) }, new() { PreSharedKey = Key });
        await using var other = new CoapClient(new() { Dtls = new DtlsClientSettings { TrustedRoots = Roots } });

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be("device-7");
        (await other.GetAsync(cut.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who")).PayloadText.Should().Be("nobody");
    }

    [Fact]
    public async Task The_source_of_the_certificate_gets_the_name_that_the_client_asks_for()
    {
        using var certificate = _authority.IssueServer("localhost");
        var source = new NamedSource(TlsCertificateSource.From(certificate));
        await using var cut = Pair(new() { Certificate = source }, new() { TrustedRoots = Roots });

        await cut.Client.GetAsync(cut.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who");

        source.Names.Should().Equal("localhost");
    }

    [Fact]
    public async Task A_server_without_the_kind_of_key()
    {
        using var certificate = _authority.IssueServer("127.0.0.1");
        await using var cut = Pair(new() { Certificate = TlsCertificateSource.From(certificate) }, new() { PreSharedKey = Key });

        var error = await FailAsync<CoapSecurityException>(cut);

        (error.Failure, error.Message).Should().Match<(TlsFailure Failure, string Message)>(one =>
            one.Failure == TlsFailure.Protocol && one.Message.Contains("HandshakeFailure") && one.Message.Contains("no cipher suite in common"));
    }

    [Fact]
    public async Task No_server()
    {
        using var unused = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)unused.Client.LocalEndPoint!).Port;
        unused.Close();
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key } });
        var ask = async () => await client.GetAsync($"coaps://127.0.0.1:{port}/who");

        (await ask.Should().ThrowAsync<CoapTransportException>()).WithInnerException<SocketException>();
    }

    [Fact]
    public async Task No_settings()
    {
        await using var client = new CoapClient();
        var ask = async () => await client.GetAsync("coaps://127.0.0.1/who");
        (await ask.Should().ThrowAsync<NotSupportedException>()).WithMessage("*CoapClientSettings.Dtls*CoAP.NET.Dtls*");

        var withoutKeys = () => new CoapServer(new() { Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))], Dtls = new DtlsServerSettings() }).Start();
        withoutKeys.Should().Throw<InvalidOperationException>().WithMessage("*PreSharedKeys, Certificate or RawKeyPair, or several*");
        var withoutSettings = () => new CoapServer(new() { Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))] }).Start();
        withoutSettings.Should().Throw<InvalidOperationException>().WithMessage("*CoapServerSettings.Dtls*");
    }

    [Fact]
    public void A_server_without_a_port_for_DTLS_sends_nothing_plain_to_a_secured_peer()
    {
        using var server = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Udp(new(IPAddress.Loopback, 0))],
            Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) },
        });
        server.Start();
        var open = () => server.OpenChannel(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, 5684), "coaps:device"));

        open.Should().Throw<InvalidOperationException>().WithMessage("*coaps:device*");
    }

    [Fact]
    public void Settings_say_what_is_allowed()
    {
        FluentActions.Invoking(() => new DtlsServerSettings { ConnectionIdLength = 3 }).Should().Throw<ArgumentOutOfRangeException>().WithMessage("*3*4 to 16*");
        FluentActions.Invoking(() => new DtlsClientSettings { CipherSuites = ["TLS_NULL"] }).Should().Throw<ArgumentException>().WithMessage("*TLS_NULL*TLS_PSK_WITH_AES_128_CCM_8*");
        FluentActions.Invoking(() => new DtlsClientSettings { CipherSuites = [] }).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new PreSharedKey("a", default)).Should().Throw<ArgumentException>().WithMessage("*0 bytes*1 to 256*");
        FluentActions.Invoking(() => new PreSharedKey(new string('a', 257), [1])).Should().Throw<ArgumentException>().WithMessage("*257*256*");
        FluentActions.Invoking(() => new DtlsClientSettings { CipherSuites = [] }).Should().Throw<ArgumentException>().WithParameterName("CipherSuites");
        FluentActions.Invoking(() => new DtlsClientSettings { SessionTimeout = TimeSpan.MaxValue }).Should().Throw<ArgumentOutOfRangeException>().WithMessage("*24 days*");
        FluentActions.Invoking(() => PskStore.From(Key, null!)).Should().Throw<ArgumentNullException>().WithMessage("*keys contains null*");
        using var withoutKey = X509CertificateLoader.LoadCertificate(_authority.Root.RawData);
        FluentActions.Invoking(() => new DtlsClientSettings { Certificate = withoutKey }).Should().Throw<ArgumentException>().WithMessage("*no private key*");
        FluentActions.Invoking(() => PskStore.From(Key, Key)).Should().Throw<ArgumentException>().WithMessage("*device-7*");
        FluentActions.Invoking(() => PskStore.From(new Dictionary<string, byte[]> { ["device-9"] = [] })).Should().Throw<ArgumentException>().WithMessage("*device-9*0 bytes*");
        FluentActions.Invoking(() => new DtlsServerSettings { ConnectionIdLength = 17 }).Should().Throw<ArgumentOutOfRangeException>().WithMessage("ConnectionIdLength is 17; 0, null or 4 to 16 bytes*");
        FluentActions.Invoking(() => new DtlsServerSettings { ConnectionIdPrefix = new byte[5] }).Should().Throw<ArgumentOutOfRangeException>().WithMessage("ConnectionIdPrefix has 5 bytes; at most 4*");
        FluentActions.Invoking(() => new DtlsClientSettings { MaxFragmentLength = 600 }).Should().Throw<ArgumentOutOfRangeException>()
            .WithMessage("MaxFragmentLength is 600; null, 512, 1024, 2048 or 4096 bytes*");
        FluentActions.Invoking(() => new DtlsServerSettings { KeyLogFile = "" }).Should().Throw<ArgumentException>().WithMessage("KeyLogFile is empty*");
    }

    [Fact]
    public async Task A_store_of_a_dictionary_keeps_copies()
    {
        var keys = new Dictionary<string, byte[]> { ["device-7"] = "a key of 16 bytes"u8.ToArray() };
        await using var cut = Pair(new() { PreSharedKeys = PskStore.From(keys) }, new() { PreSharedKey = Key });

        keys["device-7"].AsSpan().Clear();
        keys.Clear();

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be("device-7");
    }

    [Theory, InlineData(true, false, "RequiresClientCertificate"), InlineData(false, true, "TrustedRoots and ValidateClient")]
    public void A_server_that_checks_certificates_of_clients_needs_its_own(bool requires, bool checks, string expected)
    {
        var settings = new DtlsServerSettings
        {
            PreSharedKeys = PskStore.From(Key),
            RequiresClientCertificate = requires,
            TrustedRoots = checks ? Roots : null,
            ValidateClient = checks ? (_, _, _, errors) => errors == SslPolicyErrors.None : null,
        };
        using var cut = new CoapServer(new() { Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))], Dtls = settings });

        cut.Invoking(static one => one.Start()).Should().Throw<InvalidOperationException>().WithMessage($"DtlsServerSettings sets {expected}, but neither Certificate nor RawKeyPair*");
    }

    [Fact]
    public async Task A_key_log_that_cannot_be_written_names_its_setting()
    {
        using var server = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Dtls(new(IPAddress.Loopback, 0))],
            Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), KeyLogFile = "/missing/keys.log" },
        });
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key, KeyLogFile = "/missing/keys.log" } });
        var ask = async () => await client.GetAsync("coaps://127.0.0.1/who");

        server.Invoking(static one => one.Start()).Should().Throw<IOException>().WithMessage("*KeyLogFile*/missing/keys.log*");
        await ask.Should().ThrowAsync<IOException>().WithMessage("*KeyLogFile*/missing/keys.log*");
    }

    [Theory, InlineData("coaps://localhost:0/who", "*port 0*"), InlineData("coaps://224.0.1.187/who", "*only the scheme coap has groups, not coaps*")]
    public async Task A_URI_that_reaches_no_server(string uri, string expected)
    {
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = Key } });
        var ask = async () => await client.GetAsync(uri);

        await ask.Should().ThrowAsync<ArgumentException>().WithMessage(expected);
    }

    [Fact]
    public void Settings_keep_copies_of_what_they_get()
    {
        byte[] prefix = [1, 2];
        List<string> suites = ["TLS_PSK_WITH_AES_128_CCM_8"];
        var cut = new DtlsServerSettings { ConnectionIdPrefix = prefix, CipherSuites = suites };

        prefix[0] = 9;
        suites.Clear();

        cut.ConnectionIdPrefix.ToArray().Should().Equal(1, 2);
        cut.CipherSuites.Should().Equal("TLS_PSK_WITH_AES_128_CCM_8");
    }

    private sealed class NamedSource(TlsCertificateSource inner) : TlsCertificateSource
    {
        public List<string> Names { get; } = [];

        public override SslStreamCertificateContext Select(string hostName)
        {
            Names.Add(hostName);
            return inner.Select("");
        }
    }

    private static SecuredPair Pair(DtlsServerSettings server, DtlsClientSettings client) => new(server, client, isInMemory: false);

    // For handshakes that fail because nobody answers. That takes 1.5 s, because the client does get answers until its last flight.
    private static SecuredPair HurriedPair(DtlsServerSettings server, DtlsClientSettings client) =>
        Pair(server, client with { FlightTimeout = TimeSpan.FromMilliseconds(50), MaxFlightRetransmissions = 4 });

    private static async Task<TException> FailAsync<TException>(SecuredPair pair)
        where TException : CoapException
    {
        var ask = async () => await pair.Client.GetAsync(pair.Origin + "/who");
        return (await ask.Should().ThrowAsync<TException>()).Which;
    }
}
