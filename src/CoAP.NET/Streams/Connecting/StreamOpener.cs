using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Opens connections and secures them if the scheme requires it.</summary>
internal sealed class StreamOpener(ConnectSettings settings, WebSocketLimits webSockets)
{
    /// <summary>Opens a connection.</summary>
    /// <param name="target">The target.</param>
    /// <param name="isBlocking">
    /// Whether the call blocks the calling thread and opens a connection whose calls wait. Otherwise it holds no thread.
    /// WebSockets have no blocking form.
    /// </param>
    /// <param name="cancellationToken">Ends the attempt, except for a WebSocket.</param>
    /// <exception cref="SocketException">The peer refuses the connection, cannot be reached or does not respond in time.</exception>
    /// <exception cref="TlsHandshakeException">The connection cannot be secured.</exception>
    /// <exception cref="IOException">The peer is an HTTP server without a WebSocket for CoAP.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public async Task<IStreamConnection> OpenAsync(StreamTarget target, bool isBlocking, CancellationToken cancellationToken)
    {
        if (target.IsWebSocket)
        {
            var opener = new WebSocketConnector(settings.Tcp, settings.Tls, webSockets);
            return await opener.OpenAsync(target.EndPoint, target.Host, target.Scheme.IsSecure()).ConfigureAwait(false);
        }
        var socket = await TcpConnector.ConnectAsync(target.EndPoint, settings.Tcp, isBlocking, cancellationToken).ConfigureAwait(false);
        if (!target.Scheme.IsSecure()) { return isBlocking ? new TcpBlockingConnection(socket, settings.Tcp) : new TcpConnection(socket); }
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.Tcp.ConnectTimeout);
        try
        {
            var stream = new NetworkStream(socket, ownsSocket: true);
            var handshake = new TlsClientHandshake(settings.Tls, target.Host, target.Port);
            var secured = await handshake.RunAsync(stream, isBlocking, limit.Token).ConfigureAwait(false);
            return isBlocking
                ? new TcpBlockingConnection(socket, settings.Tcp, place: null, secured)
                : TlsConnection.Over(secured, socket, place: null);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TlsHandshakeException(
                TlsFailure.Protocol,
                $"The server at {target.Place} did not complete the TLS handshake within {settings.Tcp.ConnectTimeout.TotalSeconds:0.###} s.");
        }
    }
}
