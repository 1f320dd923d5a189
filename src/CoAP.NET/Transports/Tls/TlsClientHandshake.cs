using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace CoAP.Transports;

/// <summary>Secures a connection that this client has opened (RFC 8323, section 8.2).</summary>
internal sealed class TlsClientHandshake(TlsClientSettings settings, string host, int port)
{
    // On this port the server need not agree on a protocol (RFC 8323, section 8.2).
    private const int DefaultPort = 5684;

    /// <summary>The application protocols for ALPN. <see langword="null"/> for WebSockets, which use a subprotocol instead.</summary>
    public List<SslApplicationProtocol>? Application { get; init; } = TlsProtocols.Application;

    private readonly TlsCertificateCheck _check = new(settings.ValidateServer, isRequired: true);

    /// <summary>Runs the handshake.</summary>
    /// <param name="stream">The stream to secure. It is closed if the handshake fails.</param>
    /// <param name="isBlocking">Whether the call blocks the calling thread. Otherwise it holds no thread.</param>
    /// <param name="cancellationToken">Ends the handshake.</param>
    /// <exception cref="TlsHandshakeException">The certificate, its name or the protocol is not acceptable.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public async Task<SslStream> RunAsync(Stream stream, bool isBlocking, CancellationToken cancellationToken)
    {
        var secured = new SslStream(stream);
        try
        {
            if (isBlocking) { BlockingCall.Run(() => secured.AuthenticateAsClient(Options()), stream, cancellationToken); }
            else { await secured.AuthenticateAsClientAsync(Options(), cancellationToken).ConfigureAwait(false); }
            return Checked(secured);
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or SocketException)
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw Explain(exception);
        }
        catch
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private SslClientAuthenticationOptions Options() => new()
    {
        TargetHost = host,
        ApplicationProtocols = Application,
        EnabledSslProtocols = settings.Protocols,
        ClientCertificateContext = settings.CertificateContext,
        CertificateRevocationCheckMode = settings.Revocation,
        CertificateChainPolicy = settings.TrustedRoots is { } roots ? TlsProtocols.Trusting(roots, settings.Revocation) : null,
        RemoteCertificateValidationCallback = _check.Validate,
        AllowTlsResume = settings.AllowsResumption,
    };

    private SslStream Checked(SslStream secured)
    {
        if (Application is null || port == DefaultPort || !secured.NegotiatedApplicationProtocol.Protocol.IsEmpty) { return secured; }
        throw new TlsHandshakeException(
            TlsFailure.Protocol,
            $"The server at {host}:{port} did not agree on the protocol 'coap', which is required on all ports except {DefaultPort} (RFC 8323, section 8.2).");
    }

    private TlsHandshakeException Explain(Exception exception)
    {
        if (exception is TlsHandshakeException known) { return known; }
        var hint = _check.WasCalled ? "" : " The server may not use TLS on this port, or the two sides have no TLS version in common.";
        var reason = _check.Describe(exception.InnerException?.Message ?? exception.Message);
        return new TlsHandshakeException(_check.Failure, $"The connection to {host}:{port} could not be secured: {reason}.{hint}", exception);
    }
}
