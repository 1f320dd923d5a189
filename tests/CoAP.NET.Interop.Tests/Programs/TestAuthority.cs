using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A certificate with its key, and the same as PEM files.</summary>
internal sealed record IssuedCertificate(X509Certificate2 Certificate, string File, string KeyFile);

/// <summary>An authority and the certificates that it issues, also as PEM files.</summary>
internal sealed class TestAuthority : IDisposable
{
    private const string ServerUse = "1.3.6.1.5.5.7.3.1", ClientUse = "1.3.6.1.5.5.7.3.2";

    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly List<X509Certificate2> _issued = [];

    public TestAuthority(string name = "CN=Authority of the test")
    {
        var request = new CertificateRequest(name, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        Root = request.CreateSelfSigned(Now.AddYears(-1), Now.AddYears(10));
        File = Path.Combine(_folder, "authority.pem");
        System.IO.File.WriteAllText(File, Root.ExportCertificatePem());
    }

    public X509Certificate2 Root { get; }

    public X509Certificate2Collection Roots => [Root];

    /// <summary>The root certificate as a PEM file.</summary>
    public string File { get; }

    /// <summary>Issues the certificate of a server with this name or address.</summary>
    public IssuedCertificate IssueServer(string name, bool isExpired = false) => Issue(Request(name, ServerUse), isExpired);

    /// <summary>Issues the certificate of a device.</summary>
    public IssuedCertificate IssueClient(string name, bool isExpired = false) => Issue(Request(name, ClientUse), isExpired);

    /// <summary>Creates the certificate of a server that has signed itself.</summary>
    public IssuedCertificate SignItself(string name)
    {
        var (request, key) = Request(name, ServerUse);
        return Keep(request.CreateSelfSigned(Now.AddMonths(-6), Now.AddYears(1)), key);
    }

    public void Dispose()
    {
        foreach (var one in _issued) { one.Dispose(); }
        Root.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static (CertificateRequest Request, ECDsa Key) Request(string name, string use)
    {
        var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        if (IPAddress.TryParse(name, out var address)) { names.AddIpAddress(address); }
        else { names.AddDnsName(name); }
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(use)], critical: false));
        return (request, key);
    }

    private IssuedCertificate Issue((CertificateRequest Request, ECDsa Key) wanted, bool isExpired)
    {
        var generator = X509SignatureGenerator.CreateForECDsa(_key);
        var until = isExpired ? Now.AddDays(-1) : Now.AddYears(1);
        using var issued = wanted.Request.Create(Root.SubjectName, generator, Now.AddMonths(-6), until, RandomNumberGenerator.GetBytes(8));
        return Keep(issued.CopyWithPrivateKey(wanted.Key), wanted.Key);
    }

    private IssuedCertificate Keep(X509Certificate2 certificate, ECDsa key)
    {
        var path = Path.Combine(_folder, $"{_issued.Count}");
        _issued.Add(certificate);
        System.IO.File.WriteAllText($"{path}.pem", certificate.ExportCertificatePem());
        System.IO.File.WriteAllText($"{path}.key", key.ExportPkcs8PrivateKeyPem());
        key.Dispose();
        return new(certificate, $"{path}.pem", $"{path}.key");
    }
}
