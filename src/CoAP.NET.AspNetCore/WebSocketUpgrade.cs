using System.Diagnostics.CodeAnalysis;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using CoAP.Transports;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.WebSockets;
using Microsoft.Net.Http.Headers;

namespace CoAP.AspNetCore;

/// <summary>Takes a WebSocket that the host has found to be well requested. Over HTTP/1.1 its bytes go through a stream of ours, so that messages can be gathered.</summary>
internal static class WebSocketUpgrade
{
    // RFC 6455, section 1.3
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    public static async Task<OpenWebSocket> AcceptAsync(HttpContext context)
    {
        // CoAP has a Ping of its own, and WebSocket's would double the traffic (RFC 8323, section 4.4).
        if (UpgradeOf(context) is not { } upgrade)
        {
            var acceptance = new WebSocketAcceptContext { SubProtocol = WebSocketConnection.Subprotocol, KeepAliveInterval = TimeSpan.Zero };
            return new(await context.WebSockets.AcceptWebSocketAsync(acceptance).ConfigureAwait(false), null);
        }
        var headers = context.Response.Headers;
        headers.Connection = HeaderNames.Upgrade;
        headers.Upgrade = "websocket";
        headers.SecWebSocketAccept = AnswerTo(context.Request.Headers.SecWebSocketKey.ToString());
        headers.SecWebSocketProtocol = WebSocketConnection.Subprotocol;
        context.Features.Get<IHttpRequestTimeoutFeature>()?.DisableTimeout();
        var below = new GatheringStream(await upgrade.UpgradeAsync().ConfigureAwait(false));
        var settings = new WebSocketCreationOptions { IsServer = true, SubProtocol = WebSocketConnection.Subprotocol, KeepAliveInterval = TimeSpan.Zero };
        return new(WebSocket.CreateFromStream(below, settings), below);
    }

    // Hosts that bring WebSockets of their own, and HTTP/2, open them themselves.
    private static IHttpUpgradeFeature? UpgradeOf(HttpContext context) =>
        HttpProtocol.IsHttp11(context.Request.Protocol)
        && context.Features.Get<IHttpWebSocketFeature>()?.GetType().Assembly == typeof(WebSocketMiddleware).Assembly
        && context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade ? upgrade : null;

    // RFC 6455, section 4.2.2, wants it; there is no secret in it, it shows that the server has read the request.
    [SuppressMessage("Security", "CA5350", Justification = "The protocol names the algorithm, and nothing depends on its strength.")]
    private static string AnswerTo(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key.Trim() + Guid)));
}
