using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;

namespace CoAP;

/// <summary>The settings of DTLS on a server: pre-shared keys, certificates, or both (RFC 7252, section 9).</summary>
/// <remarks>Immutable. Assign it to <see cref="CoapServerSettings.Dtls"/>.</remarks>
public sealed record DtlsServerSettings : DtlsSettings
{
    private const int DefaultIdLength = 8;

    /// <summary>Creates settings without keys. Set <see cref="PreSharedKeys"/>, <see cref="Certificate"/>, or both.</summary>
    public DtlsServerSettings()
        : base(DefaultIdLength)
    {
    }

    /// <summary>Finds the pre-shared keys of clients. Default: <see langword="null"/>, no client can use one.</summary>
    public IPskStore? PreSharedKeys { get; init; }

    /// <summary>The source of the server's certificate. Default: <see langword="null"/>, the server has none.</summary>
    public TlsCertificateSource? Certificate { get; init; }

    /// <summary>Whether clients that use certificates must present one. Default: <see langword="false"/>.</summary>
    public bool RequiresClientCertificate { get; init; }

    /// <summary>Root certificates to trust instead of those of the system, such as the authority of the devices. Default: <see langword="null"/>.</summary>
    /// <remarks>If set, the server requests a certificate. <see cref="RequiresClientCertificate"/> decides whether a client without one is accepted.</remarks>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>How to check whether a certificate is revoked. Default: <see cref="X509RevocationMode.NoCheck"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public X509RevocationMode Revocation { get; init => field = Bound.Defined(value); } = X509RevocationMode.NoCheck;

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">There are neither pre-shared keys nor a certificate.</exception>
    /// <exception cref="PlatformNotSupportedException">The system has no OpenSSL 3.</exception>
    protected override DatagramSecurityLayer Open(TimeProvider timeProvider) => new DtlsLayer(this, new ServerHandshakes(this));
}
