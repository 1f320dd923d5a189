using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>Secures a connection that a client has opened (RFC 8323, section 8.2). Whoever does not get through within the time is closed.</summary>
internal sealed class TlsServerHandshake
{
    private readonly TlsServerSettings _settings;
    private readonly TlsCertificateSource _certificate;
    private int _inProgress;

    /// <exception cref="InvalidOperationException">There is no certificate.</exception>
    public TlsServerHandshake(TlsServerSettings settings)
    {
        _settings = settings;
        _certificate = settings.Certificate ?? throw new InvalidOperationException(
            "An endpoint of TLS needs a certificate: set CoapServerSettings.Tls.Certificate, for instance to TlsCertificateSource.FromFiles(...).");
    }

    /// <summary>Counts a handshake, or tells the limit that it would go past. Whoever was counted runs it, or ends the count.</summary>
    public bool TryBegin(out ConnectionLimit limit)
    {
        limit = new ConnectionLimit(_settings.MaxConcurrentHandshakes, "TlsServerSettings.MaxConcurrentHandshakes");
        if (Interlocked.Increment(ref _inProgress) <= limit.Count) { return true; }
        End();
        return false;
    }

    /// <summary>A handshake that was counted is over, or was never run.</summary>
    public void End() => Interlocked.Decrement(ref _inProgress);

    /// <exception cref="TlsHandshakeException">Certificate or protocol do not do, or it took too long.</exception>
    public async ValueTask<SslStream> RunAsync(Stream stream, PeerIdentity peer)
    {
        var verdict = new TlsVerdict(_settings.ValidateClient, _settings.RequiresClientCertificate);
        var secured = new SslStream(stream);
        using var patience = new CancellationTokenSource(_settings.HandshakeTimeout);
        try
        {
            // The name is known when the client has spoken, so the choice of the certificate waits for it.
            await secured.AuthenticateAsServerAsync(
                (_, hello, _, _) => new ValueTask<SslServerAuthenticationOptions>(Options(verdict, hello.ServerName)), null, patience.Token).ConfigureAwait(false);
            return secured;
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw Explain(exception, verdict, peer);
        }
        finally
        {
            End();
        }
    }

    /// <summary>The same on a thread of its own, which blocking calls may hold up.</summary>
    /// <inheritdoc cref="RunAsync" path="/exception"/>
    public SslStream Run(Stream stream, PeerIdentity peer)
    {
        var verdict = new TlsVerdict(_settings.ValidateClient, _settings.RequiresClientCertificate);
        var secured = new SslStream(stream);
        // A time-out of the stream would begin anew with every byte that a client drips.
        using var patience = new CancellationTokenSource(_settings.HandshakeTimeout);
        using var registration = patience.Token.UnsafeRegister(static stream => ((Stream)stream!).Dispose(), stream);
        try
        {
            var options = Options(verdict, "");
            if (_certificate.DependsOnName)
            {
                // The runtime keeps no sessions for what it is told this way, but a handshake that blocks has no other.
                options.ServerCertificateContext = null;
                options.ServerCertificateSelectionCallback = (_, hostName) => _certificate.Select(hostName ?? "").TargetCertificate;
            }
            secured.AuthenticateAsServer(options);
            if (!registration.Unregister()) { throw new OperationCanceledException(patience.Token); }
            return secured;
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            secured.Dispose();
            throw Explain(patience.IsCancellationRequested ? new OperationCanceledException(patience.Token) : exception, verdict, peer);
        }
        finally
        {
            End();
        }
    }

    private SslServerAuthenticationOptions Options(TlsVerdict verdict, string hostName) => new()
    {
        ServerCertificateContext = _certificate.Select(hostName),
        ClientCertificateRequired = _settings.RequiresClientCertificate || _settings.ValidateClient is not null || _settings.TrustedRoots is not null,
        CertificateChainPolicy = _settings.TrustedRoots is { } roots ? TlsProtocols.Trusting(roots, X509RevocationMode.NoCheck) : null,
        RemoteCertificateValidationCallback = verdict.Judge,
        ApplicationProtocols = TlsProtocols.Application,
        EnabledSslProtocols = _settings.Protocols,
        AllowTlsResume = _settings.AllowsResumption,
    };

    private static bool IsFailure(Exception exception) =>
        exception is AuthenticationException or IOException or SocketException or OperationCanceledException or CryptographicException or InvalidOperationException;

    private static TlsHandshakeException Explain(Exception exception, TlsVerdict verdict, PeerIdentity peer)
    {
        var otherwise = exception is OperationCanceledException ? "it took too long" : exception.InnerException?.Message ?? exception.Message;
        return new TlsHandshakeException(verdict.Failure, $"The connection of {peer} could not be secured: {verdict.Describe(otherwise)}.", exception);
    }
}
