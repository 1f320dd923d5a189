using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Accounting;
using Microsoft.Extensions.Logging;

namespace CoAP.Transports;

/// <summary>Secures connections that clients have opened (RFC 8323, section 8.2). Closes a connection whose handshake exceeds the time limit.</summary>
internal sealed class TlsServerHandshake
{
    private readonly TlsServerSettings _settings;
    private readonly TlsCertificateSource _certificate;

    /// <exception cref="InvalidOperationException">The settings have no certificate.</exception>
    public TlsServerHandshake(TlsServerSettings settings, Ledger ledger, ILogger logger)
    {
        Limits = new ConnectionLimits(ledger, ledger.Handshakes, "TlsServerSettings.MaxConcurrentHandshakes");
        _settings = settings;
        _certificate = settings.Certificate ?? throw new InvalidOperationException(
            "A TLS endpoint needs a certificate. Set CoapServerSettings.Tls.Certificate, for example to TlsCertificateSource.FromFiles(...).");
        _certificate.Logger = logger;
    }

    /// <summary>Charges handshakes to the accounts of their clients. Each handshake must get a place before it runs.</summary>
    public ConnectionLimits Limits { get; }

    /// <summary>The clock of the time limit.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Runs a handshake.</summary>
    /// <param name="stream">The stream to secure. It is closed if the handshake fails.</param>
    /// <param name="peer">The client.</param>
    /// <param name="isBlocking">Whether the call blocks the calling thread. Otherwise it holds no thread.</param>
    /// <exception cref="TlsHandshakeException">The certificate or the protocol is not acceptable, or the time limit passed.</exception>
    public async Task<SslStream> RunAsync(Stream stream, PeerIdentity peer, bool isBlocking)
    {
        var check = new TlsCertificateCheck(_settings.ValidateClient, _settings.RequiresClientCertificate);
        var secured = new SslStream(stream);
        using var timeout = new CancellationTokenSource(_settings.HandshakeTimeout, Time);
        try
        {
            // A timeout of the stream would restart with each byte that a slow client sends.
            if (isBlocking) { BlockingCall.Run(() => secured.AuthenticateAsServer(BlockingOptions(check)), stream, timeout.Token); }
            else
            {
                // The first message of the client contains the host name, so the certificate is selected after it.
                await secured.AuthenticateAsServerAsync(
                    (_, hello, _, _) => new(Options(check, hello.ServerName)), null, timeout.Token).ConfigureAwait(false);
            }
            return secured;
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw Explain(exception, check, peer);
        }
    }

    private SslServerAuthenticationOptions BlockingOptions(TlsCertificateCheck check)
    {
        var options = Options(check, "");
        if (_certificate.DependsOnName)
        {
            // .NET keeps no sessions for a certificate that is selected this way, but a blocking handshake has no other way.
            options.ServerCertificateContext = null;
            options.ServerCertificateSelectionCallback = (_, hostName) => _certificate.Select(hostName ?? "").TargetCertificate;
        }
        return options;
    }

    private SslServerAuthenticationOptions Options(TlsCertificateCheck check, string hostName) => new()
    {
        ServerCertificateContext = _certificate.Select(hostName),
        ClientCertificateRequired = _settings.RequiresClientCertificate || _settings.ValidateClient is not null || _settings.TrustedRoots is not null,
        CertificateChainPolicy = _settings.TrustedRoots is { } roots ? TlsProtocols.Trusting(roots, X509RevocationMode.NoCheck) : null,
        RemoteCertificateValidationCallback = check.Validate,
        ApplicationProtocols = TlsProtocols.Application,
        EnabledSslProtocols = _settings.Protocols,
        AllowTlsResume = _settings.AllowsResumption,
    };

    private static bool IsFailure(Exception exception) =>
        exception is AuthenticationException or IOException or SocketException or OperationCanceledException or CryptographicException or InvalidOperationException;

    private static TlsHandshakeException Explain(Exception exception, TlsCertificateCheck check, PeerIdentity peer)
    {
        var otherwise = exception is OperationCanceledException ? "it took too long" : exception.InnerException?.Message ?? exception.Message;
        return new TlsHandshakeException(check.Failure, $"The connection from {peer} could not be secured: {check.Describe(otherwise)}.", exception);
    }
}
