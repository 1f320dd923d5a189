using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace CoAP.Transports;

/// <summary>Secures a connection that we have opened (RFC 8323, section 8.2).</summary>
internal sealed class TlsClientHandshake(TlsClientSettings settings, string host, int port)
{
    // There the protocol may be left unsaid (RFC 8323, section 8.2).
    private const int DefaultPort = 5684;

    /// <summary>What is agreed on with ALPN; nothing for WebSockets, whose subprotocol says it.</summary>
    public List<SslApplicationProtocol>? Application { get; init; } = TlsProtocols.Application;

    private readonly TlsVerdict _verdict = new(settings.ValidateServer, isRequired: true);

    /// <exception cref="TlsHandshakeException">Certificate, name or protocol do not do.</exception>
    public async ValueTask<SslStream> RunAsync(Stream stream, CancellationToken cancellationToken)
    {
        var secured = new SslStream(stream);
        try
        {
            await secured.AuthenticateAsClientAsync(Options(), cancellationToken).ConfigureAwait(false);
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

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="RunAsync" path="/exception"/>
    public SslStream Run(Stream stream)
    {
        var secured = new SslStream(stream);
        try
        {
            secured.AuthenticateAsClient(Options());
            return Checked(secured);
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or SocketException)
        {
            secured.Dispose();
            throw Explain(exception);
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
        RemoteCertificateValidationCallback = _verdict.Judge,
        AllowTlsResume = settings.AllowsResumption,
    };

    private SslStream Checked(SslStream secured)
    {
        if (Application is null || port == DefaultPort || !secured.NegotiatedApplicationProtocol.Protocol.IsEmpty) { return secured; }
        throw new TlsHandshakeException(
            TlsFailure.Protocol, $"The server at {host}:{port} did not agree on the protocol 'coap'; only on port {DefaultPort} it need not (RFC 8323, section 8.2).");
    }

    private TlsHandshakeException Explain(Exception exception)
    {
        if (exception is TlsHandshakeException known) { return known; }
        var hint = _verdict.WasAsked ? "" : " The server may speak no TLS there, or no version that both sides allow.";
        var reason = _verdict.Describe(exception.InnerException?.Message ?? exception.Message);
        return new TlsHandshakeException(_verdict.Failure, $"The connection to {host}:{port} could not be secured: {reason}.{hint}", exception);
    }
}
