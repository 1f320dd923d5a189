using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;

namespace CoAP;

/// <summary>TLS settings of a server (RFC 8323, section 9.1).</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TlsServerSettings
{
    /// <summary>The source of the server's certificate. Required if the server has a TLS endpoint.</summary>
    public TlsCertificateSource? Certificate { get; init; }

    /// <summary>Whether clients must present a certificate. Default: <see langword="false"/>.</summary>
    public bool RequiresClientCertificate { get; init; }

    /// <summary>Root certificates to trust instead of those of the system, such as the authority of the devices. Default: <see langword="null"/>.</summary>
    /// <remarks>If set, the server requests a certificate. <see cref="RequiresClientCertificate"/> decides whether a client without one is accepted.</remarks>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Validates the certificate of a client. Default: <see langword="null"/>, which checks its chain and dates.</summary>
    /// <remarks>If set, the server requests a certificate. Called only if the client presents one.</remarks>
    public RemoteCertificateValidationCallback? ValidateClient { get; init; }

    /// <summary>The allowed TLS versions. Default: 1.2 and 1.3. Older versions are not allowed (RFC 8323, section 9.1).</summary>
    /// <exception cref="ArgumentException">The value contains a version before 1.2, or no version.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public SslProtocols Protocols { get; init => field = TlsProtocols.Check(value); } = TlsProtocols.Default;

    /// <summary>The time limit for the handshake of a client. Default: 10 s. A slower client is closed.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms, or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan HandshakeTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(10);

    /// <summary>The largest number of concurrent handshakes. Default: 1,000. A connection that would need one more is closed at once. One
    /// account holds at most as many as are still free (<see cref="Account"/>).</summary>
    /// <remarks>Together with <see cref="HandshakeTimeout"/> it limits the resources that unauthenticated clients can hold.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxConcurrentHandshakes { get; init => field = Bound.AtLeast(value, 1); } = 1_000;

    /// <summary>Whether clients may resume an earlier session instead of running a full handshake. Default: <see langword="true"/>.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AllowsResumption { get; init; } = true;
}
