using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>TLS parameters that servers and clients share.</summary>
internal static class TlsProtocols
{
    public const SslProtocols Default = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>The application protocol "coap" (RFC 8323, section 8.2).</summary>
    public static List<SslApplicationProtocol> Application { get; } = [new SslApplicationProtocol("coap")];

    /// <summary>Returns a policy that trusts these roots and no others.</summary>
    public static X509ChainPolicy Trusting(X509Certificate2Collection roots, X509RevocationMode revocation)
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = revocation };
        policy.CustomTrustStore.AddRange(roots);
        return policy;
    }

    /// <summary>Returns the context of a certificate, which all connections share.</summary>
    /// <remarks>It keeps the sessions, and a handshake need not build the chain again.</remarks>
    /// <exception cref="ArgumentException">The certificate has no private key.</exception>
    public static SslStreamCertificateContext ContextOf(X509Certificate2 certificate, string name) => certificate.HasPrivateKey
        ? SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true)
        : throw new ArgumentException($"The certificate of '{certificate.Subject}' has no private key.", name);

    /// <summary>Returns the value if it contains TLS 1.2, TLS 1.3 or both; otherwise throws.</summary>
    public static SslProtocols Check(SslProtocols value, [CallerMemberName] string name = "") => value is SslProtocols.Tls12 or SslProtocols.Tls13 or Default
        ? value
        : throw new ArgumentException($"{name} is {value}; only TLS 1.2 and 1.3 are allowed (RFC 8323, section 9.1).", name);
}
