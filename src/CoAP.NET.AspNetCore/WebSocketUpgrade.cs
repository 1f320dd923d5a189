using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.WebSockets;
using Microsoft.Net.Http.Headers;

namespace CoAP.AspNetCore;

/// <summary>Upgrades an HTTP/1.1 request after the host has checked it, so that the server can write several messages to the stream at once.</summary>
internal static class WebSocketUpgrade
{
    // RFC 6455, section 1.3
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /// <summary>Whether the request can be upgraded here. HTTP/2, and hosts with their own WebSockets, do the upgrade themselves.</summary>
    public static bool IsPossible(HttpContext context) =>
        HttpProtocol.IsHttp11(context.Request.Protocol)
        && context.Features.Get<IHttpWebSocketFeature>()?.GetType().Assembly == typeof(WebSocketMiddleware).Assembly
        && context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true };

    /// <summary>Answers the opening handshake and returns the stream under the WebSocket.</summary>
    public static Task<Stream> AcceptAsync(HttpContext context)
    {
        var headers = context.Response.Headers;
        headers.Connection = HeaderNames.Upgrade;
        headers.Upgrade = "websocket";
        headers.SecWebSocketAccept = AcceptValueOf(context.Request.Headers.SecWebSocketKey.ToString());
        headers.SecWebSocketProtocol = WebSocketServerSettings.Subprotocol;
        context.Features.Get<IHttpRequestTimeoutFeature>()?.DisableTimeout();
        return context.Features.GetRequiredFeature<IHttpUpgradeFeature>().UpgradeAsync();
    }

    // RFC 6455, section 4.2.2, requires this hash. It contains no secret; it shows that the server has read the request.
    [SuppressMessage("Security", "CA5350", Justification = "The protocol prescribes the algorithm, and nothing depends on its strength.")]
    private static string AcceptValueOf(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key.Trim() + Guid)));
}
