using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Hosting.Tests.Configuration;

public sealed class TlsFileKeysTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("coap-tls");
    private readonly X509Certificate2 _certificate;

    public TlsFileKeysTests()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var now = DateTimeOffset.UtcNow;
        _certificate = new CertificateRequest("CN=device", key, HashAlgorithmName.SHA256).CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        File.WriteAllText(PathOf("cert.pem"), _certificate.ExportCertificatePem());
        File.WriteAllText(PathOf("key.pem"), key.ExportPkcs8PrivateKeyPem());
        File.WriteAllText(PathOf("both.pem"), $"{_certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}");
        File.WriteAllText(PathOf("empty.pem"), "");
    }

    public void Dispose()
    {
        _certificate.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData("cert.pem", "empty.pem", "*Coap:Tls:CertificateFile*do not contain a certificate and its private key in PEM*")]
    [InlineData("empty.pem", "key.pem", "*Coap:Tls:CertificateFile*do not contain a certificate and its private key in PEM*")]
    [InlineData("cert.pem", null, "*Coap:Tls:CertificateFile*do not contain a certificate and its private key in PEM*")]
    public void Names_the_key_whose_file_is_wrong(string certificate, string? key, string message)
    {
        var applying = () => Server(("Tls:CertificateFile", PathOf(certificate)), ("Tls:KeyFile", key is null ? null : PathOf(key)));

        applying.Should().Throw<CoapConfigurationException>().WithMessage(message);
    }

    [Fact]
    public void Refuses_roots_without_a_certificate()
    {
        var applying = () => Server(("Tls:TrustedRootsFile", PathOf("empty.pem")));

        applying.Should().Throw<CoapConfigurationException>().WithMessage("*Coap:Tls:TrustedRootsFile*The file contains no certificate in PEM.*");
    }

    [Theory]
    [InlineData("cert.pem", "key.pem")]
    [InlineData("both.pem", null)]
    public void Reads_the_certificate_and_the_roots_of_a_server(string certificate, string? key)
    {
        var bound = Server(
            ("Tls:CertificateFile", PathOf(certificate)), ("Tls:KeyFile", key is null ? null : PathOf(key)), ("Tls:TrustedRootsFile", PathOf("cert.pem")));

        bound.Tls.Certificate!.Select("").TargetCertificate.Thumbprint.Should().Be(_certificate.Thumbprint);
        bound.Tls.TrustedRoots.Should().ContainSingle().Which.Thumbprint.Should().Be(_certificate.Thumbprint);
    }

    [Fact]
    public void Reads_the_certificate_of_a_client()
    {
        var section = CoapSettingsBinderTests.Section(("Tls:CertificateFile", PathOf("cert.pem")), ("Tls:KeyFile", PathOf("key.pem")));

        var bound = new CoapSettingsBinder().Apply(new CoapClientSettings(), section);

        bound.Tls.Certificate!.Thumbprint.Should().Be(_certificate.Thumbprint);
    }

    private static CoapServerSettings Server(params (string Key, string? Value)[] values) =>
        new CoapSettingsBinder().Apply(new CoapServerSettings(), CoapSettingsBinderTests.Section(values));

    private string PathOf(string file) => Path.Combine(_folder.FullName, file);
}
