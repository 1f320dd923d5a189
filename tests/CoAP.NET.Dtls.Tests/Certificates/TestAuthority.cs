using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>An authority of the test, and the certificates that it issues.</summary>
internal sealed class TestAuthority : IDisposable
{
    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public TestAuthority(string name = "CN=Authority of the test")
    {
        var request = new CertificateRequest(name, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        Root = request.CreateSelfSigned(Now.AddYears(-1), Now.AddYears(10));
    }

    public X509Certificate2 Root { get; }

    /// <summary>Issues the certificate of a server with this name.</summary>
    public X509Certificate2 IssueServer(string name, bool isExpired = false, bool isRsa = false, int rsaBits = 2048) => Issue(name, "1.3.6.1.5.5.7.3.1", isExpired, isRsa ? rsaBits : null, names => AddName(names, name));

    /// <summary>Issues the certificate of a server with these names in SubjectAltName, or without any.</summary>
    public X509Certificate2 IssueServer(string name, Action<SubjectAlternativeNameBuilder>? alternatives) => Issue(name, "1.3.6.1.5.5.7.3.1", isExpired: false, rsaBits: null, alternatives);

    /// <summary>Issues the certificate of a device with these names in SubjectAltName.</summary>
    public X509Certificate2 IssueClient(string name, Action<SubjectAlternativeNameBuilder> alternatives) => Issue(name, "1.3.6.1.5.5.7.3.2", isExpired: false, rsaBits: null, alternatives);

    /// <summary>Issues the certificate of a device.</summary>
    public X509Certificate2 IssueClient(string name, bool isExpired = false) => Issue(name, "1.3.6.1.5.5.7.3.2", isExpired, rsaBits: null, names => AddName(names, name));

    public void Dispose()
    {
        Root.Dispose();
        _key.Dispose();
    }

    private static void AddName(SubjectAlternativeNameBuilder names, string name)
    {
        if (IPAddress.TryParse(name, out var address)) { names.AddIpAddress(address); }
        else { names.AddDnsName(name); }
    }

    private X509Certificate2 Issue(string name, string use, bool isExpired, int? rsaBits, Action<SubjectAlternativeNameBuilder>? alternatives)
    {
        using var ecdsa = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var rsa = rsaBits is { } bits ? RSA.Create(bits) : null;
        var request = rsa is null
            ? new CertificateRequest($"CN={name}", ecdsa, HashAlgorithmName.SHA256)
            : new CertificateRequest($"CN={name}", rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        if (alternatives is not null)
        {
            var names = new SubjectAlternativeNameBuilder();
            alternatives(names);
            request.CertificateExtensions.Add(names.Build());
        }
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(use)], critical: false));
        var generator = X509SignatureGenerator.CreateForECDsa(_key);
        var until = isExpired ? Now.AddDays(-1) : Now.AddYears(1);
        using var issued = request.Create(Root.SubjectName, generator, Now.AddMonths(-6), until, RandomNumberGenerator.GetBytes(8));
        return rsa is null ? issued.CopyWithPrivateKey(ecdsa) : issued.CopyWithPrivateKey(rsa);
    }
}
