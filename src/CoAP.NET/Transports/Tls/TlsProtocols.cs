using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>What servers and clients have in common.</summary>
internal static class TlsProtocols
{
    public const SslProtocols Default = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>"coap", the protocol that both sides agree on (RFC 8323, section 8.2).</summary>
    public static List<SslApplicationProtocol> Application { get; } = [new SslApplicationProtocol("coap")];

    /// <summary>Trusts what these roots have signed, and nothing else.</summary>
    public static X509ChainPolicy Trusting(X509Certificate2Collection roots, X509RevocationMode revocation)
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = revocation };
        policy.CustomTrustStore.AddRange(roots);
        return policy;
    }

    public static SslProtocols Check(SslProtocols value, [CallerMemberName] string name = "") => value is SslProtocols.Tls12 or SslProtocols.Tls13 or Default
        ? value
        : throw new ArgumentException($"{name} is {value}; TLS 1.2 and 1.3 are allowed (RFC 8323, section 9.1).", name);
}
