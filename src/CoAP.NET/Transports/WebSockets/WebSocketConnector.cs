using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>Opens WebSockets to a known address, with the host name of the URI (RFC 8323, sections 4.1, 8.3 and 8.4).</summary>
internal sealed class WebSocketConnector(TcpSettings tcp, TlsClientSettings tls, WebSocketLimits messages)
{
    private const string Subprotocol = WebSocketServerSettings.Subprotocol, Path = WebSocketServerSettings.Path;

    /// <summary>Opens a WebSocket.</summary>
    /// <exception cref="SocketException">The peer refuses the connection, cannot be reached, or does not answer in time.</exception>
    /// <exception cref="TlsHandshakeException">The TLS handshake fails.</exception>
    /// <exception cref="IOException">The peer does not accept a WebSocket for CoAP.</exception>
    public async ValueTask<IStreamConnection> OpenAsync(EndPoint remote, string host, bool isSecured)
    {
        var port = remote is DnsEndPoint name ? name.Port : ((IPEndPoint)remote).Port;
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol(Subprotocol);
        socket.Options.CollectHttpResponseDetails = true;       // provides the status of a refusal
        socket.Options.KeepAliveInterval = TimeSpan.Zero;       // RFC 8323, section 4.4: CoAP has its own Ping
        using var timeout = new CancellationTokenSource(tcp.ConnectTimeout);
        Socket? connected = null;
        CoalescingStream? stream = null;
        using var handler = new SocketsHttpHandler { ConnectCallback = ConnectAsync, UseProxy = false };
        using var invoker = new HttpMessageInvoker(handler);
        try
        {
            await socket.ConnectAsync(UriOf(host, port), invoker, timeout.Token).ConfigureAwait(false);
            if (socket.SubProtocol != Subprotocol)
            {
                throw new IOException($"the server did not agree on the subprotocol '{Subprotocol}' (RFC 8323, section 4.1).");
            }
            var (peer, local) = SocketAddresses.Of(connected!);
            return WebSocketConnection.Over(new(socket, stream, isSecured ? CoapScheme.CoapsWs : CoapScheme.CoapWs), peer, local, messages, place: null);
        }
        catch (Exception exception)
        {
            socket.Dispose();
            throw Explain(exception, socket.HttpStatusCode, isConnected: connected is not null, isOpen: stream is not null);
        }

        async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
        {
            connected = await TcpConnector.ConnectAsync(remote, tcp, isBlocking: false, cancellationToken).ConfigureAwait(false);
            var network = new NetworkStream(connected, ownsSocket: true);
            if (!isSecured) { return stream = new CoalescingStream(network); }
            var handshake = new TlsClientHandshake(tls, host, port) { Application = null };
            var secured = await handshake.RunAsync(network, isBlocking: false, cancellationToken).ConfigureAwait(false);
            return stream = new CoalescingStream(secured);
        }
    }

    // With the scheme "ws" the handler uses no TLS. The connector does, so that its errors explain the cause.
    private static Uri UriOf(string host, int port) => new(string.Create(
        CultureInfo.InvariantCulture, $"ws://{(host.Contains(':', StringComparison.Ordinal) ? $"[{host}]" : host)}:{port}{Path}"));

    /// <summary>Returns an exception that names the part that failed: TCP, TLS, or the opening handshake of the WebSocket.</summary>
    private Exception Explain(Exception exception, HttpStatusCode status, bool isConnected, bool isOpen)
    {
        for (var inner = exception; inner is not null; inner = inner.InnerException)
        {
            if (inner is TlsHandshakeException || (inner is SocketException && !isConnected)) { return inner; }
        }
        if (exception is OperationCanceledException) { return TimedOut(isConnected, isOpen); }
        return new IOException(
            status is not 0 and not HttpStatusCode.SwitchingProtocols
                ? $"the server refused the upgrade to a WebSocket at {Path} with HTTP status {(int)status} ({status})."
                : $"the upgrade to a WebSocket at {Path} failed: {exception.GetBaseException().Message}",
            exception);
    }

    private Exception TimedOut(bool isConnected, bool isOpen)
    {
        if (!isConnected) { return new SocketException((int)SocketError.TimedOut); }
        return isOpen
            ? new IOException($"the server did not answer the upgrade to a WebSocket at {Path} within {tcp.ConnectTimeout.TotalSeconds:0.###} s.")
            : new TlsHandshakeException(TlsFailure.Protocol, $"The server did not complete the TLS handshake within {tcp.ConnectTimeout.TotalSeconds:0.###} s.");
    }
}
