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

/// <summary>Accepts a WebSocket after the host has checked the request. Over HTTP/1.1 its bytes go through a stream that batches messages.</summary>
internal static class WebSocketUpgrade
{
    // RFC 6455, section 1.3
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    public static async Task<OpenWebSocket> AcceptAsync(HttpContext context)
    {
        // CoAP has its own Ping. The WebSocket Ping would double the traffic (RFC 8323, section 4.4).
        if (UpgradeOf(context) is not { } upgrade)
        {
            var acceptance = new WebSocketAcceptContext { SubProtocol = WebSocketConnection.Subprotocol, KeepAliveInterval = TimeSpan.Zero };
            return new(await context.WebSockets.AcceptWebSocketAsync(acceptance).ConfigureAwait(false), null);
        }
        var headers = context.Response.Headers;
        headers.Connection = HeaderNames.Upgrade;
        headers.Upgrade = "websocket";
        headers.SecWebSocketAccept = AcceptValueOf(context.Request.Headers.SecWebSocketKey.ToString());
        headers.SecWebSocketProtocol = WebSocketConnection.Subprotocol;
        context.Features.Get<IHttpRequestTimeoutFeature>()?.DisableTimeout();
        var stream = new CoalescingStream(await upgrade.UpgradeAsync().ConfigureAwait(false));
        var settings = new WebSocketCreationOptions { IsServer = true, SubProtocol = WebSocketConnection.Subprotocol, KeepAliveInterval = TimeSpan.Zero };
        return new(WebSocket.CreateFromStream(stream, settings), stream);
    }

    // HTTP/2, and hosts with their own WebSockets, do the upgrade themselves.
    private static IHttpUpgradeFeature? UpgradeOf(HttpContext context) =>
        HttpProtocol.IsHttp11(context.Request.Protocol)
        && context.Features.Get<IHttpWebSocketFeature>()?.GetType().Assembly == typeof(WebSocketMiddleware).Assembly
        && context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade ? upgrade : null;

    // RFC 6455, section 4.2.2, requires this hash. It contains no secret; it shows that the server has read the request.
    [SuppressMessage("Security", "CA5350", Justification = "The protocol prescribes the algorithm, and nothing depends on its strength.")]
    private static string AcceptValueOf(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key.Trim() + Guid)));
}
