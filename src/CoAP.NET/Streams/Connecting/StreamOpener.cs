using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Opens connections and secures them if the scheme requires it: sync with blocking calls only, async without holding a thread.</summary>
internal sealed class StreamOpener(ConnectSettings settings, WebSocketLimits webSockets)
{
    /// <exception cref="SocketException">The peer refuses the connection, cannot be reached or does not respond in time.</exception>
    /// <exception cref="TlsHandshakeException">The connection cannot be secured.</exception>
    /// <exception cref="IOException">The peer is an HTTP server without a WebSocket for CoAP.</exception>
    public async ValueTask<IStreamConnection> OpenAsync(StreamTarget target)
    {
        if (target.IsWebSocket)
        {
            var opener = new WebSocketConnector(settings.Tcp, settings.Tls, webSockets);
            return await opener.OpenAsync(target.EndPoint, target.Host, target.Scheme.IsSecure()).ConfigureAwait(false);
        }
        var socket = await TcpConnector.ConnectAsync(target.EndPoint, settings.Tcp, CancellationToken.None).ConfigureAwait(false);
        if (!target.Scheme.IsSecure()) { return new TcpConnection(socket); }
        using var timeout = new CancellationTokenSource(settings.Tcp.ConnectTimeout);
        try
        {
            var secured = await HandshakeWith(target).RunAsync(new NetworkStream(socket, ownsSocket: true), timeout.Token).ConfigureAwait(false);
            return TlsConnection.Over(secured, socket, limits: null);
        }
        catch (OperationCanceledException)
        {
            throw new TlsHandshakeException(
                TlsFailure.Protocol,
                $"The server at {target.Place} did not complete the TLS handshake within {settings.Tcp.ConnectTimeout.TotalSeconds:0.###} s.");
        }
    }

    /// <inheritdoc cref="OpenAsync" path="/exception"/>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public IStreamConnection Open(StreamTarget target, CancellationToken cancellationToken)
    {
        var socket = TcpConnector.Connect(target.EndPoint, settings.Tcp, cancellationToken);
        if (!target.Scheme.IsSecure()) { return new TcpBlockingConnection(socket, settings.Tcp); }
        var stream = new NetworkStream(socket, ownsSocket: true) { ReadTimeout = (int)settings.Tcp.ConnectTimeout.TotalMilliseconds };
        Secure(out var secured);
        stream.ReadTimeout = Timeout.Infinite;
        return new TcpBlockingConnection(socket, settings.Tcp, limits: null, secured);

        void Secure(out System.Net.Security.SslStream opened)
        {
            // A blocking handshake has no token. Closing the socket ends it.
            using var registration = cancellationToken.UnsafeRegister(static socket => ((Socket)socket!).Dispose(), socket);
            try { opened = HandshakeWith(target).Run(stream); }
            catch (TlsHandshakeException) when (cancellationToken.IsCancellationRequested)
            {
                throw new OperationCanceledException(cancellationToken);
            }
        }
    }

    private TlsClientHandshake HandshakeWith(in StreamTarget target) => new(settings.Tls, target.Host, target.Port);
}
