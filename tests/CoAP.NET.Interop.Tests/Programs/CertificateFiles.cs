using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Interop.Tests.Programs;

/// <summary>An authority, and a certificate and key that it signed for this machine, as PEM files that both sides' programs read.</summary>
internal sealed class CertificateFiles : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;

    public CertificateFiles()
    {
        var now = DateTimeOffset.UtcNow;
        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var authorityRequest = new CertificateRequest("CN=Test authority", authorityKey, HashAlgorithmName.SHA256);
        authorityRequest.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var authority = authorityRequest.CreateSelfSigned(now.AddHours(-1), now.AddDays(1));

        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(authority, now.AddHours(-1), now.AddDays(1), RandomNumberGenerator.GetBytes(8));

        File.WriteAllText(Authority, authority.ExportCertificatePem());
        File.WriteAllText(Certificate, certificate.ExportCertificatePem());
        File.WriteAllText(Key, key.ExportPkcs8PrivateKeyPem());
    }

    public string Authority => Path.Combine(_folder, "authority.pem");

    public string Certificate => Path.Combine(_folder, "certificate.pem");

    public string Key => Path.Combine(_folder, "key.pem");

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
