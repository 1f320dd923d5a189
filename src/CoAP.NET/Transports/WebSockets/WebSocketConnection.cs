using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>What a connection over a WebSocket consists of; the platform has only asynchronous calls for it.</summary>
internal static class WebSocketConnection
{
    /// <summary>The subprotocol that both sides agree on (RFC 8323, section 4.1).</summary>
    public const string Subprotocol = "coap";

    /// <summary>The path of the endpoint (RFC 8323, section 8.3).</summary>
    public const string Path = "/.well-known/coap";

    /// <param name="socket">Open; the connection's own from now on.</param>
    /// <param name="peer">The other side.</param>
    /// <param name="local">Our side.</param>
    /// <param name="messages">What is taken of its messages.</param>
    /// <param name="limits">Where the connection was counted.</param>
    /// <param name="credentials">What the peer proved about itself.</param>
    /// <param name="below">What the WebSocket writes to and reads from, where it lets messages be gathered.</param>
    public static PumpedConnection Over(
        WebSocket socket, in PeerIdentity peer, in PeerIdentity local, WebSocketLimits messages, ConnectionLimits? limits, PeerCredentials? credentials = null,
        GatheringStream? below = null)
    {
        var frames = new WebSocketFrames(socket, messages, below);
        return new PumpedConnection(frames, peer, local, EndSendingAsync, limits) { Credentials = credentials, Farewell = () => frames.Farewell, TellsLength = true };

        async ValueTask EndSendingAsync()
        {
            if (socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
            {
                await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }
}
