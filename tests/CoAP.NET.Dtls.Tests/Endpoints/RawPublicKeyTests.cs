using System.Security.Cryptography;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Certificates;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Raw public keys instead of certificates. OpenSSL has them from version 3.2 on.</summary>
public sealed class RawPublicKeyTests : IDisposable
{
    private readonly ECDsa _server = ECDsa.Create(ECCurve.NamedCurves.nistP256), _client = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [SkippableTheory, Trait("RFC", "7925 4.3"), Trait("RFC", "7250 3"), Trait("RFC", "7252 9.1.3.2"), InlineData(null), InlineData("TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8")]
    public async Task Both_sides_know_the_raw_public_key_of_the_other(string? suite)
    {
        SkipWithoutRawKeys();
        RawPublicKey? seen = null;
        await using var cut = Pair(
            Server(RawPublicKey.From(_client)), Client() with { ValidateRawServerKey = (host, key) => host == "127.0.0.1" && (seen = key) == key }, suite);

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be(IdentifierOf(_client));
        seen!.Identifier.Should().Be(IdentifierOf(_server));
    }

    [SkippableFact, Trait("RFC", "7252 9.1.3.2.1")]
    public async Task A_client_refuses_the_raw_public_key_of_another_server()
    {
        SkipWithoutRawKeys();
        await using var cut = Pair(Server(RawPublicKey.From(_client)), Client() with { ValidateRawServerKey = static (_, _) => false });

        var ask = async () => await cut.Client.GetAsync(cut.Origin + "/who");

        var error = (await ask.Should().ThrowAsync<CoapSecurityException>()).Which;
        error.Failure.Should().Be(TlsFailure.Certificate);
        error.Message.Should().Contain($"the raw public key {IdentifierOf(_server)} is not trusted");
    }

    [SkippableTheory, Trait("RFC", "7252 9.1.3.2.1"), InlineData(true), InlineData(false)]
    public async Task A_server_refuses_a_client_with_another_raw_public_key_or_none(bool hasKey)
    {
        SkipWithoutRawKeys();
        await using var cut = Pair(Server(RawPublicKey.From(_server)), hasKey ? Client() : Client() with { RawKeyPair = null });

        var ask = async () => await cut.Client.GetAsync(cut.Origin + "/who");

        await ask.Should().ThrowAsync<CoapSecurityException>();
    }

    [SkippableFact, Trait("RFC", "7250 4.2"), Trait("RFC", "7252 9.1.3")]
    public async Task A_server_with_a_certificate_and_a_raw_public_key_uses_what_the_client_has()
    {
        SkipWithoutRawKeys();
        using var authority = new TestAuthority();
        using var certificate = authority.IssueServer("127.0.0.1");
        await using var cut = Pair(Server(RawPublicKey.From(_client)) with { Certificate = TlsCertificateSource.From(certificate) }, Client());
        await using var other = new CoapClient(new CoapClientSettings { Dtls = new DtlsClientSettings { TrustedRoots = [authority.Root] } });

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be(IdentifierOf(_client));
        (await other.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be("nobody");
    }

    [SkippableFact]
    public void An_older_OpenSSL_is_an_error_at_the_start()
    {
        Skip.If(OpenSslLibrary.HasRawPublicKeys, "This system has OpenSSL 3.2 or later.");
        var start = () => Pair(Server(RawPublicKey.From(_client)), new DtlsClientSettings());

        start.Should().Throw<PlatformNotSupportedException>().WithMessage("Raw public keys need OpenSSL 3.2 or later; the system has OpenSSL 3.*");
    }

    [Fact]
    public void Settings_that_contradict_each_other_are_an_error_at_the_start()
    {
        FluentActions.Invoking(() => Pair(new DtlsServerSettings { ValidateRawClientKey = static _ => true, PreSharedKeys = PskStore.From() }, new()))
            .Should().Throw<InvalidOperationException>().WithMessage("*ValidateRawClientKey is set without RawKeyPair*");
        FluentActions.Invoking(() => Pair(new DtlsServerSettings { RawKeyPair = _server, RequiresClientCertificate = true }, new()))
            .Should().Throw<InvalidOperationException>().WithMessage("*RequiresClientCertificate*Set ValidateRawClientKey too*");
        FluentActions.Invoking(() => ask(new DtlsClientSettings { RawKeyPair = _client })).Should().Throw<InvalidOperationException>().WithMessage("*RawKeyPair is set without*");
        FluentActions.Invoking(() => ask(Client() with { TrustedRoots = [] })).Should().Throw<InvalidOperationException>().WithMessage("*either raw public keys or certificates*");

        static void ask(DtlsClientSettings settings)
        {
            using var client = new CoapClient(new CoapClientSettings { Dtls = settings });
            client.Get("coaps://127.0.0.1:1/");
        }
    }

    private static void SkipWithoutRawKeys() => Skip.IfNot(OpenSslLibrary.HasRawPublicKeys, $"Raw public keys need OpenSSL 3.2; this system has {OpenSslLibrary.Version}.");

    private static string IdentifierOf(ECDsa key) =>
        "ni:///sha-256-120;" + Convert.ToBase64String(SHA256.HashData(key.ExportSubjectPublicKeyInfo())[..15]).Replace('+', '-').Replace('/', '_');

    private static SecuredPair Pair(DtlsServerSettings server, DtlsClientSettings client, string? suite = null) =>
        new(suite is null ? server : server with { CipherSuites = [suite] }, client, isInMemory: false);

    private DtlsServerSettings Server(RawPublicKey trusted) => new() { RawKeyPair = _server, ValidateRawClientKey = trusted.Equals };

    private DtlsClientSettings Client() => new() { RawKeyPair = _client, ValidateRawServerKey = (_, key) => key.Identifier == IdentifierOf(_server) };
}
