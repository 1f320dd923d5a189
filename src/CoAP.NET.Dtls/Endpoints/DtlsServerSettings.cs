using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Dtls;

namespace CoAP;

/// <summary>The settings of DTLS on a server: pre-shared keys, certificates, or both (RFC 7252, section 9).</summary>
/// <remarks>Immutable. Assign it to <see cref="CoapServerSettings.Dtls"/>.</remarks>
public sealed record DtlsServerSettings : DtlsSettings
{
    private const int DefaultIdLength = 8;
    private const int LongestHint = 128;
    private const int ShortestSecret = 32;

    /// <summary>
    /// Creates settings without keys. Set <see cref="PreSharedKeys"/>, <see cref="Certificate"/> or <see cref="DtlsSettings.RawKeyPair"/>, or several of them.
    /// </summary>
    public DtlsServerSettings()
        : base(DefaultIdLength)
    {
    }

    /// <summary>Finds the pre-shared keys of clients. Default: <see langword="null"/>, clients cannot use pre-shared keys.</summary>
    public IPskStore? PreSharedKeys { get; init; }

    /// <summary>
    /// The longest identity of a pre-shared key that <see cref="PreSharedKeys"/> is asked for, in bytes. Longer ones are unknown. Default: 256, the most that OpenSSL
    /// reads. RFC 4279, section 5.3, requires 128.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 256.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxPreSharedKeyIdentity { get; init => field = Bound.Within(value, 1, KeyIdentity.MaxLength); } = KeyIdentity.MaxLength;

    /// <summary>
    /// A hint that helps clients choose their pre-shared key (RFC 4279, section 5.2). Default: <see langword="null"/>, no hint is sent. Most clients ignore it.
    /// </summary>
    /// <exception cref="ArgumentException">Longer than 128 bytes in UTF-8.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public string? PreSharedKeyHint
    {
        get;
        init
        {
            if (value is not null && Encoding.UTF8.GetByteCount(value) is > LongestHint and var length)
            {
                throw new ArgumentException($"The hint has {length} bytes; at most {LongestHint} are allowed.", nameof(PreSharedKeyHint));
            }
            field = value;
        }
    }

    /// <summary>The source of the server's certificate. Default: <see langword="null"/>, the server has no certificate.</summary>
    /// <remarks>
    /// It is asked for each full handshake, so a new certificate needs no restart. The private key must be exportable, because OpenSSL uses it.
    /// </remarks>
    public TlsCertificateSource? Certificate { get; init; }

    /// <summary>Whether clients without a pre-shared key or a raw public key must present a certificate. Default: <see langword="false"/>.</summary>
    /// <remarks>With <see cref="DtlsSettings.RawKeyPair"/>, set <see cref="ValidateRawClientKey"/> too, so that clients with raw public keys must present theirs.</remarks>
    public bool RequiresClientCertificate { get; init; }

    /// <summary>Root certificates to trust instead of those of the system, such as the authority of the devices. Default: <see langword="null"/>.</summary>
    /// <remarks>If set, the server requests a certificate. <see cref="RequiresClientCertificate"/> decides whether a client without one is accepted.</remarks>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>How to check whether a certificate is revoked. Default: <see cref="X509RevocationMode.NoCheck"/>.</summary>
    /// <remarks>
    /// <see cref="X509RevocationMode.Online"/> fetches lists over the network. Each download blocks one of <see cref="DtlsSettings.HandshakeThreads"/> for up to 5 s.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public X509RevocationMode Revocation { get; init => field = Bound.Defined(value); } = X509RevocationMode.NoCheck;

    /// <summary>Validates the certificate of a client. Default: <see langword="null"/>, which checks its chain and dates.</summary>
    /// <remarks>
    /// If set, the server requests a certificate. Called only if the client presents one, and not when it resumes a session. The sender is an empty string.
    /// Called on a worker thread, so it may block. It is
    /// called on a worker, and may be called for several clients at the same time. If it throws, the exception is logged, and the handshake fails.
    /// </remarks>
    public RemoteCertificateValidationCallback? ValidateClient { get; init; }

    /// <summary>
    /// Decides whether the raw public key of a client is trusted. Default: <see langword="null"/>, the server requests no raw public keys. If set, a client
    /// that accepts the server's raw public key (<see cref="DtlsSettings.RawKeyPair"/>) must present its own.
    /// </summary>
    /// <remarks>
    /// Called on a worker, and not when a session is resumed. It may be called for several clients at the same time. If it throws, the exception is logged, and the
    /// handshake fails.
    /// </remarks>
    public Func<RawPublicKey, bool>? ValidateRawClientKey { get; init; }

    /// <summary>
    /// Returns whether a new session replaces the last session with the same credentials, because a device has restarted or has lost its session. The
    /// observations of the last session then continue in the new one, and the last session ends. Default: <see langword="null"/>: each session is a
    /// separate peer.
    /// </summary>
    /// <remarks>
    /// Return <see langword="false"/> for credentials that several devices share: each device would end the sessions of the others. Called on a lane, so it
    /// must return quickly.
    /// </remarks>
    public Func<PeerCredentials, bool>? ContinuesPeer { get; init; }

    /// <summary>
    /// Called when a new session has replaced the last one of a device, so that the application can update the identity in its own tables. Default:
    /// <see langword="null"/>. Called on a lane, so it must return quickly.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public Action<PeerRenewal>? OnPeerContinued { get; init; }

    /// <summary>The time for which a client can resume a session (<see cref="DtlsSettings.AllowsResumption"/>). Default: 24 hours.</summary>
    /// <remarks>A client whose key or certificate was withdrawn can still resume its session until then.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 s or more than 7 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ResumptionLifetime { get; init => field = Bound.Within(value, TimeSpan.FromSeconds(1), TimeSpan.FromDays(7)); } = TimeSpan.FromHours(24);

    /// <summary>
    /// The secret that protects the tickets of resumable sessions. Servers with the same secret can resume each other's sessions, even after a restart.
    /// Default: <see langword="null"/>, a new random secret at each start.
    /// </summary>
    /// <remarks>Anyone who knows the secret can decrypt recorded sessions and impersonate clients. Replace it regularly.</remarks>
    /// <exception cref="ArgumentException">Shorter than 32 bytes.</exception>
    public ReadOnlyMemory<byte>? TicketSecret
    {
        get;
        init
        {
            if (value is { Length: < ShortestSecret and var length })
            {
                throw new ArgumentException($"The secret has {length} bytes; at least {ShortestSecret} random bytes are required.", nameof(TicketSecret));
            }
            field = value?.ToArray();
        }
    }

    /// <summary>
    /// The largest number of sessions that the server keeps for clients that resume without a ticket, for each kind of key. Default: 10,000, which take about
    /// 10 MB. A further session replaces the oldest one, whose client then needs a full handshake.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxResumableSessions { get; init => field = Bound.AtLeast(value, 1); } = 10_000;

    /// <summary>
    /// Returns when the certificate expires that a client without a host name gets; <see langword="null"/> if such a client gets none, or its
    /// certificate cannot be read.
    /// </summary>
    public override DateTimeOffset? GetCertificateExpiry() => Certificate?.GetExpiry();

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">
    /// There are no keys of any kind, settings for certificates of clients are set without a certificate or key pair, <see cref="ValidateRawClientKey"/> is set without a key pair, or <see cref="RequiresClientCertificate"/> and a key pair are set
    /// without <see cref="ValidateRawClientKey"/>.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The system has no OpenSSL 3, or no OpenSSL 3.2 for raw public keys.</exception>
    /// <exception cref="IOException">The key log cannot be written.</exception>
    protected override DatagramSecurityLayer Open(TimeProvider timeProvider) =>
        new DtlsLayer(this, new ServerHandshakes(this), timeProvider, new Renewals(ContinuesPeer, OnPeerContinued));
}
