using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tool.Connecting;

namespace CoAP.Tool.Keys;

/// <summary>Issues certificates with ECDSA, the curve P-256 and SHA-256, which all CoAP implementations support (RFC 7252, section 9.1.3.3).</summary>
internal static class CertificateIssuer
{
    private const int SerialBytes = 16, KeyBits = 256;
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1", ClientPurpose = "1.3.6.1.5.5.7.3.2";      // RFC 5280, section 4.2.1.12

    // Devices without a battery for their clock are often a little late.
    private static readonly TimeSpan Past = TimeSpan.FromHours(1);

    /// <summary>Creates a key for a certificate.</summary>
    public static ECDsa CreateKey() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    /// <summary>Creates the certificate of an authority, which signs itself and issues the certificates of servers and clients.</summary>
    public static X509Certificate2 CreateAuthority(string name, ECDsa key, TimeSpan life)
    {
        var request = new CertificateRequest(CertificateName.Subject(name), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: true, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        var now = Now();
        return request.CreateSelfSigned(now - Past, now + life);
    }

    /// <summary>Creates the certificate of a server or client. Without an authority, it signs itself.</summary>
    /// <param name="name">The common name.</param>
    /// <param name="alternativeNames">The names that clients compare with the URI; <see langword="null"/> for none.</param>
    /// <param name="key">The key of the certificate.</param>
    /// <param name="life">The time until it expires, at most that of the authority.</param>
    /// <param name="authority">The authority with its private key.</param>
    public static X509Certificate2 Create(string name, X509Extension? alternativeNames, ECDsa key, TimeSpan life, X509Certificate2? authority)
    {
        var request = new CertificateRequest(CertificateName.Subject(name), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: false, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(ServerPurpose), new Oid(ClientPurpose)], critical: false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        if (alternativeNames is not null) { request.CertificateExtensions.Add(alternativeNames); }
        var (from, until) = (Now() - Past, Now() + life);
        if (authority is null) { return request.CreateSelfSigned(from, until); }
        var (begin, end) = (new DateTimeOffset(authority.NotBefore), new DateTimeOffset(authority.NotAfter));
        if (end <= Now())
        {
            throw new FormatException($"The certificate of the authority expired at {end.UtcDateTime:u}. Create another one with \"coap keygen ca\".");
        }
        if (authority.Extensions.OfType<X509SubjectKeyIdentifierExtension>().FirstOrDefault() is { } identifier)
        {
            request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromSubjectKeyIdentifier(identifier));
        }
        return request.Create(authority, from < begin ? begin : from, until > end ? end : until, RandomNumberGenerator.GetBytes(SerialBytes));
    }

    /// <summary>Reads an authority.</summary>
    /// <exception cref="FormatException">The files cannot be read, or the certificate cannot issue certificates.</exception>
    public static X509Certificate2 ReadAuthority(string file, string keyFile)
    {
        var authority = PemFiles.Read(file, keyFile);
        using var key = authority.GetECDsaPrivateKey();
        var problem = authority.Extensions.OfType<X509BasicConstraintsExtension>().FirstOrDefault() is not { CertificateAuthority: true }
            ? "it is not the certificate of an authority"
            : key?.KeySize == KeyBits ? null : "its key is not an ECDSA key on the curve P-256 (RFC 7252, section 9.1.3.3)";
        if (problem is null) { return authority; }
        authority.Dispose();
        throw new FormatException($"'{file}' cannot issue certificates: {problem}. Create one with \"coap keygen ca\".");
    }

    private static DateTimeOffset Now() => DateTimeOffset.UtcNow;
}
