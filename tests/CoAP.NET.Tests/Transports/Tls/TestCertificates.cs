using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Tests.Transports.Tls;

/// <summary>A certification authority and its certificates, created for each test.</summary>
internal sealed class TestCertificates : IDisposable
{
    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public TestCertificates()
    {
        var request = new CertificateRequest("CN=Test authority", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        Authority = request.CreateSelfSigned(Now.AddDays(-2), Now.AddDays(2));
    }

    public X509Certificate2 Authority { get; }

    public X509Certificate2Collection Roots => [Authority];

    /// <summary>Creates a certificate for a name, which is valid today or expired yesterday.</summary>
    public X509Certificate2 Issue(string name, bool isExpired = false)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        if (IPAddress.TryParse(name, out var address)) { names.AddIpAddress(address); }
        else { names.AddDnsName(name); }
        request.CertificateExtensions.Add(names.Build());
        var end = isExpired ? Now.AddDays(-1) : Now.AddDays(1);
        using var bare = request.Create(Authority, Now.AddDays(-2), end, RandomNumberGenerator.GetBytes(8));
        using var withKey = bare.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(withKey.Export(X509ContentType.Pkcs12), null);
    }

    public void Dispose()
    {
        _key.Dispose();
        Authority.Dispose();
    }
}
