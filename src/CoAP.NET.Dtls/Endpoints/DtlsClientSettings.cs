using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;

namespace CoAP;

/// <summary>The settings of DTLS on a client (RFC 7252, section 9).</summary>
/// <remarks>Immutable. Assign it to <see cref="CoapClientSettings.Dtls"/>.</remarks>
public sealed record DtlsClientSettings : DtlsSettings
{
    /// <summary>Creates settings that accept a server with a trusted certificate.</summary>
    public DtlsClientSettings()
        : base(connectionIdLength: 0)
    {
    }

    /// <summary>
    /// The pre-shared key that the client uses with all servers. Default: <see langword="null"/>. Servers then need a certificate or a raw public key. If set,
    /// the settings for certificates and raw public keys have no effect.
    /// </summary>
    /// <exception cref="ArgumentException">OpenSSL cannot send the identity of the key: it contains a zero byte or is longer than 255 bytes.</exception>
    public PreSharedKey? PreSharedKey
    {
        get;
        init => field = value?.WhyNotSent() is { } reason ? throw new ArgumentException(reason, nameof(PreSharedKey)) : value;
    }

    /// <summary>
    /// Chooses the pre-shared key for a server. It gets the host of the URI, a name or an address. Default: <see langword="null"/>,
    /// <see cref="PreSharedKey"/> is used.
    /// </summary>
    /// <remarks>
    /// If it returns <see langword="null"/>, the server needs a certificate or a raw public key. It may be called for several servers at the same time. If it
    /// throws, the exception is logged and the handshake fails.
    /// </remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public Func<string, PreSharedKey?>? SelectPreSharedKey { get; init; }

    /// <summary>
    /// Chooses another pre-shared key for a server that has sent a hint (RFC 4279, section 5.2). It gets the host name or address, and the hint. Default:
    /// <see langword="null"/>, hints are ignored. If it returns <see langword="null"/>, the handshake fails.
    /// </summary>
    /// <remarks>
    /// Called only if <see cref="PreSharedKey"/> or <see cref="SelectPreSharedKey"/> supplies a key, because otherwise the client does not offer to use
    /// one. It may be called for several servers at the same time.
    /// </remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public Func<string, string, PreSharedKey?>? SelectPreSharedKeyByHint { get; init; }

    /// <summary>The certificate that the client presents if the server requests one. Default: <see langword="null"/>.</summary>
    /// <remarks>
    /// Its private key, ECDSA or RSA, must be exportable, because OpenSSL uses it. On Windows, load the certificate with X509KeyStorageFlags.Exportable.
    /// Intermediate certificates are not sent.
    /// </remarks>
    /// <remarks>The intermediate certificates that the system knows are sent with it.</remarks>
    /// <exception cref="ArgumentException">The certificate has no private key.</exception>
    public X509Certificate2? Certificate
    {
        get;
        init
        {
            if (value is { HasPrivateKey: false }) { throw new ArgumentException($"The certificate of '{value.Subject}' has no private key.", nameof(Certificate)); }
            field = value;
            Intermediates = value is null ? [] : [.. SslStreamCertificateContext.Create(value, additionalCertificates: null, offline: true).IntermediateCertificates];
        }
    }

    internal X509Certificate2Collection Intermediates { get; private init; } = [];

    /// <summary>Root certificates to trust instead of those of the system. Default: <see langword="null"/>.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Validates the certificate of a server. Default: <see langword="null"/>, which checks its chain, its dates and its name.</summary>
    /// <remarks>
    /// Not called when a session is resumed. The sender is the host name as text. It is called on a worker, and may be called for several servers at the same time.
    /// If it throws, the exception is logged, and the handshake fails.
    /// </remarks>
    public RemoteCertificateValidationCallback? ValidateServer { get; init; }

    /// <summary>
    /// Decides whether the raw public key of a server is trusted. It gets the host name or address, and the key. Default: <see langword="null"/>, servers
    /// need a certificate or a pre-shared key. If set, all servers without a pre-shared key need a raw public key.
    /// </summary>
    /// <remarks>
    /// The client presents <see cref="DtlsSettings.RawKeyPair"/> if the server requests a key. Not called when a session is resumed. Called on a worker
    /// thread, possibly for several servers at the same time.
    /// </remarks>
    public Func<string, RawPublicKey, bool>? ValidateRawServerKey { get; init; }

    /// <summary>How to check whether a certificate is revoked. Default: <see cref="X509RevocationMode.NoCheck"/>.</summary>
    /// <remarks>
    /// <see cref="X509RevocationMode.Online"/> fetches lists over the network. Each download blocks one of <see cref="DtlsSettings.HandshakeThreads"/> for up to 5 s.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public X509RevocationMode Revocation { get; init => field = Bound.Defined(value); } = X509RevocationMode.NoCheck;

    /// <summary>
    /// The longest content of the records of both sides in bytes that the client asks servers for (RFC 6066, section 4): 512, 1,024, 2,048
    /// or 4,096. Default:
    /// <see langword="null"/>, 16,384 bytes, the most that there is. With a server that agrees, the datagrams of both sides have at most 13
    /// bytes more, also those of the handshake. Bodies are sent in blocks that fit.
    /// </summary>
    /// <remarks>Use it for servers or paths that have no room for longer datagrams. A server that does not have the extension sends records
    /// of any length.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is not one of these.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int? MaxFragmentLength
    {
        get;
        init => field = value is null or 512 or 1024 or 2048 or 4096
            ? value
            : throw new ArgumentOutOfRangeException(
                nameof(MaxFragmentLength), $"MaxFragmentLength is {value}; null, 512, 1024, 2048 or 4096 bytes are allowed.");
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">There are settings for raw public keys as well as for certificates, or a key pair without <see cref="ValidateRawServerKey"/>.</exception>
    /// <exception cref="PlatformNotSupportedException">Raw public keys need OpenSSL 3.2.</exception>
    /// <exception cref="IOException">The key log cannot be written.</exception>
    protected override DatagramSecurityLayer Open(TimeProvider timeProvider) => new DtlsLayer(this, new ClientHandshakes(this), timeProvider);
}
