using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>Creates connections over WebSockets. .NET has only asynchronous calls for them.</summary>
internal static class WebSocketConnection
{
    /// <summary>Creates a connection over an open WebSocket.</summary>
    /// <param name="opened">The WebSocket. The connection owns it from now on.</param>
    /// <param name="peer">The remote side.</param>
    /// <param name="local">The local side.</param>
    /// <param name="messages">The limits on received messages.</param>
    /// <param name="place">The place of the connection within the limit.</param>
    /// <param name="credentials">The credentials of the peer.</param>
    public static DuplexStreamConnection Over(
        OpenWebSocket opened, in PeerIdentity peer, in PeerIdentity local, WebSocketLimits messages, ConnectionPlace? place,
        PeerCredentials? credentials = null)
    {
        var socket = opened.Socket;
        var stream = new WebSocketMessageStream(socket, messages, messages.ChargeOf(peer, credentials), opened.Stream);
        return new DuplexStreamConnection(stream, peer, local, EndSendingAsync, place)
        {
            Scheme = opened.Scheme,
            Credentials = credentials,
            CloseReason = () => stream.CloseReason,
            HasMessageBoundaries = true,
        };

        async ValueTask EndSendingAsync()
        {
            if (socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
            {
                var refusal = stream.Refusal;
                await socket.CloseOutputAsync(refusal?.Status ?? WebSocketCloseStatus.NormalClosure, refusal?.CloseDescription, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }
}
