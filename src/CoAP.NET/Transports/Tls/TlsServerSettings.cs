using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;

namespace CoAP;

/// <summary>How a server secures its connections with TLS (RFC 8323, section 9.1).</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TlsServerSettings
{
    /// <summary>Chooses the certificate for each new connection; needed where an endpoint is one of TLS.</summary>
    public TlsCertificateSource? Certificate { get; init; }

    /// <summary>Whether clients have to present a certificate; not by default.</summary>
    public bool RequiresClientCertificate { get; init; }

    /// <summary>Roots that are trusted instead of the system's, such as the authority that signs the devices' certificates; none by default.</summary>
    /// <remarks>Clients are asked for a certificate where there are any; one without is let in unless <see cref="RequiresClientCertificate"/> says otherwise.</remarks>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Judges the certificate of a client; by default its chain and dates decide, by the system's trust or <see cref="TrustedRoots"/>.</summary>
    /// <remarks>Called only where the client presented a certificate. Where it is set, clients are asked for one.</remarks>
    public RemoteCertificateValidationCallback? ValidateClient { get; init; }

    /// <summary>The versions of TLS; 1.2 and 1.3 by default, and nothing older is allowed (RFC 8323, section 9.1).</summary>
    /// <exception cref="ArgumentException">A version before 1.2 is among them, or none.</exception>
    public SslProtocols Protocols { get; init => field = TlsProtocols.Check(value); } = TlsProtocols.Default;

    /// <summary>How long a client may take to secure the connection; 10 s by default. Slower ones are closed.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Under 1 ms, or over 24 days.</exception>
    public TimeSpan HandshakeTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(10);

    /// <summary>The handshakes that may be under way at the same time. 1,000 by default; a connection that would need one more is closed at once.</summary>
    /// <remarks>Together with <see cref="HandshakeTimeout"/> it bounds what clients can hold that have not proved anything yet.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConcurrentHandshakes { get; init => field = Bound.AtLeast(value, 1); } = 1_000;

    /// <summary>Whether clients may resume an earlier session instead of a whole handshake; so by default.</summary>
    public bool AllowsResumption { get; init; } = true;
}
