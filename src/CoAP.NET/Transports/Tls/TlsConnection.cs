using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>What a secured connection consists of.</summary>
internal static class TlsConnection
{
    /// <summary>A connection whose calls never wait.</summary>
    /// <param name="secured">After its handshake; the connection's own from now on.</param>
    /// <param name="socket">What is below it.</param>
    /// <param name="limits">Where the connection was counted.</param>
    public static PumpedConnection Over(SslStream secured, Socket socket, ConnectionLimits? limits)
    {
        var (peer, local) = SocketAddresses.Of(socket);
        return new PumpedConnection(secured, peer, local, EndSendingAsync, limits) { Credentials = CredentialsOf(secured) };

        async ValueTask EndSendingAsync()
        {
            await secured.ShutdownAsync().ConfigureAwait(false);
            socket.Shutdown(SocketShutdown.Send);
        }
    }

    /// <summary>What the other side proved.</summary>
    public static PeerCredentials? CredentialsOf(SslStream? secured) => secured?.RemoteCertificate is { } certificate
        ? new PeerCredentials { Certificate = certificate as X509Certificate2 ?? X509CertificateLoader.LoadCertificate(certificate.GetRawCertData()) }
        : null;
}
