using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>A WebSocket after its opening handshake.</summary>
/// <param name="Socket">The WebSocket.</param>
/// <param name="Stream">The stream under the WebSocket, if it can batch writes.</param>
/// <param name="Scheme">
/// The scheme of its URIs: "coaps+ws" over TLS, with or without credentials of the peer, and "coap+ws" otherwise (RFC 8323, sections 8.3
/// and 8.4).
/// </param>
internal readonly record struct OpenWebSocket(WebSocket Socket, CoalescingStream? Stream, CoapScheme Scheme)
{
    /// <summary>Creates the server's side of a WebSocket over a stream that has been upgraded. CoAP has its own Ping, so the WebSocket sends none.</summary>
    public static OpenWebSocket Over(Stream upgraded, CoapScheme scheme)
    {
        var stream = new CoalescingStream(upgraded);
        var settings = new WebSocketCreationOptions
        {
            IsServer = true,
            SubProtocol = WebSocketServerSettings.Subprotocol,
            KeepAliveInterval = TimeSpan.Zero,
        };
        return new(WebSocket.CreateFromStream(stream, settings), stream, scheme);
    }
}
