using System.Net;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>What the "openssl" program and our sides say if a session cannot begin.</summary>
[Trait("Category", "Interop")]
public sealed class OpenSslErrorTests : IDisposable
{
    private const string Identity = "device-7", Key = "0102030405060708090a0b0c0d0e0f10", OtherKey = "ff02030405060708090a0b0c0d0e0f10";
    private const int HandshakeFailure = 40, BadCertificate = 42, CertificateExpired = 45, UnknownCa = 48, DecryptError = 51;

    private static readonly PreSharedKey OurKey = new(Identity, Convert.FromHexString(Key));
    private static readonly TimeSpan FlightTimeout = TimeSpan.FromMilliseconds(100);

    private readonly TestAuthority _authority = new();
    private readonly TestAuthority _stranger = new("CN=Stranger");
    private readonly LogLines _log = new();

    public void Dispose()
    {
        _authority.Dispose();
        _stranger.Dispose();
    }

    [SkippableFact]
    [Trait("RFC", "4279 2")]
    public async Task S_client_has_an_unknown_identity()
    {
        await using var server = Serve(new() { PreSharedKeys = PskStore.From(OurKey) });
        await using var client = OpenSslTool.StartClient(server.Address(), "-psk", Key, "-psk_identity", "device-8");

        (await client.AlertAsync()).Should().Be(DecryptError, "{0}", client);
        (await _log.LineAsync("handshake")).Should().Contain("failed").And.Contain("is unknown to the key store");
    }

    [SkippableFact]
    [Trait("RFC", "4279 2")]
    public async Task S_client_has_a_wrong_key()
    {
        await using var server = Serve(new() { PreSharedKeys = PskStore.From(OurKey) });
        await using var client = OpenSslTool.StartClient(server.Address(), "-psk", OtherKey, "-psk_identity", Identity, "-state");

        (await client.AlertAsync()).Should().Be(DecryptError, "{0}", client);
        (await _log.LineAsync("handshake")).Should().Contain("failed").And.Contain("has another key for the identity");
        client.Output.Should().Contain("write finished").And.NotContain("finished successfully");
    }

    [SkippableFact]
    [Trait("RFC", "5246 7.4.1.3")]
    public async Task S_client_has_no_cipher_suite_of_the_server()
    {
        await using var server = Serve(new() { PreSharedKeys = PskStore.From(OurKey) });
        await using var client = OpenSslTool.StartClient(server.Address(), "-psk", Key, "-psk_identity", Identity, "-cipher", "PSK-AES128-CBC-SHA256");

        (await client.AlertAsync()).Should().Be(HandshakeFailure, "{0}", client);
        (await _log.LineAsync("handshake")).Should().Contain("the client offers no cipher suite that this server can use");
    }

    [SkippableTheory]
    [InlineData("expired", CertificateExpired), InlineData("foreign", UnknownCa), InlineData("self-signed", UnknownCa), InlineData("missing", HandshakeFailure)]
    [Trait("RFC", "5246 7.4.6"), Trait("RFC", "5246 7.2.2")]
    public async Task The_certificate_of_s_client_is_refused(string problem, int alert)
    {
        var ofServer = _authority.IssueServer("server.example");
        var ofClient = problem switch
        {
            "expired" => _authority.IssueClient(Identity, isExpired: true),
            "foreign" => _stranger.IssueClient(Identity),
            "self-signed" => _authority.SignItself(Identity),
            _ => null,
        };
        await using var server = Serve(new() { Certificate = TlsCertificateSource.From(ofServer.Certificate), TrustedRoots = _authority.Roots, RequiresClientCertificate = true });
        string[] own = ofClient is null ? [] : ["-cert", ofClient.File, "-key", ofClient.KeyFile];
        await using var client = OpenSslTool.StartClient(server.Address(), ["-CAfile", _authority.File, .. own]);

        (await client.AlertAsync()).Should().Be(alert, "{0}", client);
        (await _log.LineAsync("handshake")).Should().Contain(ofClient is null ? "the client has sent neither a certificate nor a raw public key" : $"CN={Identity}");
    }

    [SkippableTheory]
    [InlineData("expired", CertificateExpired, TlsFailure.Certificate), InlineData("foreign", UnknownCa, TlsFailure.Certificate)]
    [InlineData("self-signed", UnknownCa, TlsFailure.Certificate), InlineData("other name", BadCertificate, TlsFailure.Name)]
    [Trait("RFC", "7252 9.1.3.3"), Trait("RFC", "5246 7.2.2")]
    public async Task The_certificate_of_s_server_is_refused(string problem, int alert, TlsFailure failure)
    {
        Needed.Programs(Needed.OpenSsl);
        var ofServer = problem switch
        {
            "expired" => _authority.IssueServer("127.0.0.1", isExpired: true),
            "foreign" => _stranger.IssueServer("127.0.0.1"),
            "self-signed" => _authority.SignItself("127.0.0.1"),
            _ => _authority.IssueServer("other.example"),
        };
        await using var server = await OpenSslTool.StartServerAsync(IPAddress.Loopback, "-cert", ofServer.File, "-key", ofServer.KeyFile);

        var error = await FailAsync(server, new() { TrustedRoots = _authority.Roots });

        (await server.AlertAsync()).Should().Be(alert, "{0}", server);
        error.Failure.Should().Be(failure);
        error.Message.Should().Contain(ofServer.Certificate.Subject);
    }

    [SkippableTheory]
    [InlineData("expired", TlsFailure.Certificate, "CertificateExpired"), InlineData("foreign", TlsFailure.Certificate, "UnknownCa")]
    [InlineData("self-signed", TlsFailure.Certificate, "UnknownCa"), InlineData("of a server", TlsFailure.Certificate, "UnsupportedCertificate")]
    [InlineData("missing", TlsFailure.Certificate, "HandshakeFailure")]
    [Trait("RFC", "5246 7.2.2")]
    public async Task S_server_refuses_the_certificate_of_our_client(string problem, TlsFailure failure, string alert)
    {
        Needed.Programs(Needed.OpenSsl);
        var ofServer = _authority.IssueServer("127.0.0.1");
        var ofClient = problem switch
        {
            "expired" => _authority.IssueClient(Identity, isExpired: true),
            "foreign" => _stranger.IssueClient(Identity),
            "self-signed" => _authority.SignItself(Identity),
            "of a server" => _authority.IssueServer(Identity),
            _ => null,
        };
        await using var server = await OpenSslTool.StartServerAsync(
            IPAddress.Loopback, "-cert", ofServer.File, "-key", ofServer.KeyFile, "-CAfile", _authority.File, "-Verify", "1", "-verify_return_error");

        var error = await FailAsync(server, new() { TrustedRoots = _authority.Roots, Certificate = ofClient?.Certificate });

        error.Message.Should().Contain(alert, "{0}", server);
        error.Failure.Should().Be(failure);
    }

    [SkippableFact]
    [Trait("RFC", "6347 4.1.2.7")]
    public async Task S_server_has_another_key()
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = await OpenSslTool.StartServerAsync(IPAddress.Loopback, "-psk", OtherKey, "-nocert");

        // All retransmissions take 3 s: until its last flight, our client does get answers.
        var error = await FailAsync(server, new() { PreSharedKey = OurKey, MaxFlightRetransmissions = 4 });

        error.Failure.Should().Be(TlsFailure.Key);
        error.Message.Should().Contain("another key for this identity");
    }

    // Its alert is not authentic, so our server does not believe it, and ends the handshake when nothing else comes.
    [SkippableFact]
    [Trait("RFC", "6347 4.1.2.7")]
    public async Task S_client_does_not_trust_our_certificate()
    {
        var ofServer = _stranger.IssueServer("server.example");
        await using var server = Serve(new() { Certificate = TlsCertificateSource.From(ofServer.Certificate), MaxFlightRetransmissions = 2 });
        await using var client = OpenSslTool.StartClient(server.Address(), "-CAfile", _authority.File, "-verify_return_error");

        await client.SeesAsync("certificate verify failed");
        (await _log.LineAsync("handshake")).Should().Contain("failed");
    }

    private CoapServer Serve(DtlsServerSettings dtls)
    {
        Needed.Programs(Needed.OpenSsl);
        return SecuredServer.Start(dtls with { FlightTimeout = FlightTimeout }, log: _log);
    }

    private static async Task<CoapSecurityException> FailAsync(OpenSslTool server, DtlsClientSettings dtls)
    {
        await using var client = new CoapClient(new() { Dtls = dtls with { FlightTimeout = FlightTimeout } });
        var ask = async () => await client.GetAsync($"coaps://127.0.0.1:{server.Port}/hello");
        return (await ask.Should().ThrowAsync<CoapSecurityException>()).Which;
    }
}
