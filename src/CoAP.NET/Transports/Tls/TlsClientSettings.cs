using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;

namespace CoAP;

/// <summary>How a client secures its connections with TLS (RFC 8323, section 9.1).</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TlsClientSettings
{
    /// <summary>The certificate that the client presents where the server asks for one; none by default.</summary>
    public X509Certificate2? Certificate
    {
        get;
        init
        {
            field = value;
            // One for all connections: sessions are kept with it, and a handshake does without building the chain again.
            CertificateContext = value is { HasPrivateKey: true } ? SslStreamCertificateContext.Create(value, additionalCertificates: null, offline: true) : null;
        }
    }

    internal SslStreamCertificateContext? CertificateContext { get; private init; }

    /// <summary>Roots that are trusted instead of the system's; none by default.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Judges the certificate of a server; by default its chain, its dates and its name decide.</summary>
    public RemoteCertificateValidationCallback? ValidateServer { get; init; }

    /// <summary>The versions of TLS; 1.2 and 1.3 by default, and nothing older is allowed (RFC 8323, section 9.1).</summary>
    /// <exception cref="ArgumentException">A version before 1.2 is among them, or none.</exception>
    public SslProtocols Protocols { get; init => field = TlsProtocols.Check(value); } = TlsProtocols.Default;

    /// <summary>How revoked certificates are found out; not asked for by default.</summary>
    public X509RevocationMode Revocation { get; init; } = X509RevocationMode.NoCheck;

    /// <summary>Whether an earlier session may be resumed instead of a whole handshake; so by default.</summary>
    public bool AllowsResumption { get; init; } = true;
}
