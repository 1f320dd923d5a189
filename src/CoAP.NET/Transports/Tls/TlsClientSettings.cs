using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;

namespace CoAP;

/// <summary>TLS settings of a client (RFC 8323, section 9.1).</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TlsClientSettings
{
    /// <summary>The certificate that the client presents if the server requests one. Default: <see langword="null"/>.</summary>
    /// <exception cref="ArgumentException">The certificate has no private key.</exception>
    public X509Certificate2? Certificate
    {
        get;
        init
        {
            field = value;
            CertificateContext = value is null ? null : TlsProtocols.ContextOf(value, nameof(Certificate));
        }
    }

    internal SslStreamCertificateContext? CertificateContext { get; private init; }

    /// <summary>Root certificates to trust instead of those of the system. Default: <see langword="null"/>.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Validates the certificate of a server. Default: <see langword="null"/>, which checks its chain, its dates and its name.</summary>
    public RemoteCertificateValidationCallback? ValidateServer { get; init; }

    /// <summary>The allowed TLS versions. Default: 1.2 and 1.3. Older versions are not allowed (RFC 8323, section 9.1).</summary>
    /// <exception cref="ArgumentException">The value contains a version before 1.2, or no version.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public SslProtocols Protocols { get; init => field = TlsProtocols.Check(value); } = TlsProtocols.Default;

    /// <summary>How to check whether a certificate is revoked. Default: <see cref="X509RevocationMode.NoCheck"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public X509RevocationMode Revocation { get; init => field = Bound.Defined(value); } = X509RevocationMode.NoCheck;

    /// <summary>Whether the client may resume an earlier session instead of running a full handshake. Default: <see langword="true"/>.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AllowsResumption { get; init; } = true;
}
