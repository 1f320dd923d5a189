using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleServer;

/// <summary>The certificate of the secured endpoints: from the command line, or a development certificate created at each start.</summary>
internal static class Certificates
{
    private static readonly TimeSpan Life = TimeSpan.FromDays(7);

    public static TlsCertificateSource For(Arguments arguments) => arguments is { CertificateFile: { } certificate, KeyFile: { } key }
        ? TlsCertificateSource.FromFiles(certificate, key)
        : TlsCertificateSource.From(MakeForDevelopment());

    /// <summary>Returns the keys for DTLS: the pre-shared ones, and the certificate.</summary>
    public static DtlsServerSettings ForDtls(Arguments arguments)
    {
        var roots = arguments.AuthorityFile is null ? null : new X509Certificate2Collection();
        roots?.ImportFromPemFile(arguments.AuthorityFile!);
        return new DtlsServerSettings
        {
            PreSharedKeys = arguments.Keys.Count > 0 ? PskStore.From(arguments.Keys) : null,
            Certificate = For(arguments),
            TrustedRoots = roots,
            SessionStore = arguments.DtlsSessions,
            MaxConcurrentHandshakes = 100, // each takes about 80 KB
        };
    }

    private static X509Certificate2 MakeForDevelopment()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=CoAP.NET development", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = DateTimeOffset.UtcNow;
        using var made = request.CreateSelfSigned(now - TimeSpan.FromMinutes(5), now + Life);
        // A newly created private key exists in memory only. Some platforms serve only imported keys.
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }
}
