using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>Creates connections over TLS.</summary>
internal static class TlsConnection
{
    /// <summary>Creates a connection whose calls never wait.</summary>
    /// <param name="secured">The TLS stream after its handshake. The connection owns it from now on.</param>
    /// <param name="socket">The socket under the stream.</param>
    /// <param name="place">The place of the connection within the limit.</param>
    public static DuplexStreamConnection Over(SslStream secured, Socket socket, ConnectionPlace? place)
    {
        var (peer, local) = SocketAddresses.Of(socket);
        return new DuplexStreamConnection(secured, peer, local, EndSendingAsync, place) { Scheme = CoapScheme.CoapsTcp, Credentials = CredentialsOf(secured) };

        async ValueTask EndSendingAsync()
        {
            await secured.ShutdownAsync().ConfigureAwait(false);
            socket.Shutdown(SocketShutdown.Send);
        }
    }

    /// <summary>Returns the credentials of the peer. <see langword="null"/> if it presented no certificate.</summary>
    public static PeerCredentials? CredentialsOf(SslStream? secured) => secured?.RemoteCertificate is { } certificate
        ? new PeerCredentials { Certificate = certificate as X509Certificate2 ?? X509CertificateLoader.LoadCertificate(certificate.GetRawCertData()) }
        : null;
}
