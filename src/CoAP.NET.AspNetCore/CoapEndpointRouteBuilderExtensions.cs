using System.Net;
using CoAP;
using CoAP.AspNetCore;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Serves a CoAP server in a web host. Devices and browsers reach it over WebSockets (RFC 8323, section 4).</summary>
public static class CoapEndpointRouteBuilderExtensions
{
    private const string WellKnownPath = WebSocketServerSettings.Path;

    // CoAP has its own Ping. The WebSocket Ping would double the traffic (RFC 8323, section 4.4).
    private static readonly WebSocketAcceptContext Acceptance =
        new() { SubProtocol = WebSocketServerSettings.Subprotocol, KeepAliveInterval = TimeSpan.Zero };

    /// <summary>Maps a path to the <see cref="CoapServer"/> in the services of the host. Call <c>UseWebSockets</c>, too.</summary>
    /// <param name="endpoints">The routes of the host.</param>
    /// <param name="path">The path. Default: "/.well-known/coap", the path that clients use (RFC 8323, section 8.3).</param>
    /// <param name="allowedOrigins">
    /// The origins whose pages may connect, such as "https://example.org": scheme, host and port (RFC 6454). Pages of the same host may always
    /// connect, but must use HTTPS if the request does. "*" allows all origins. Default: none. A request without an Origin header does not come from
    /// a browser and is not checked.
    /// </param>
    /// <returns>A builder for conventions such as authorization. They apply to the opening handshake.</returns>
    /// <exception cref="InvalidOperationException">The services contain no server.</exception>
    /// <exception cref="ArgumentException">An entry of <paramref name="allowedOrigins"/> is not an origin.</exception>
    public static IEndpointConventionBuilder MapCoap(
        this IEndpointRouteBuilder endpoints, string path = WellKnownPath, IReadOnlyCollection<string>? allowedOrigins = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        return endpoints.MapCoap(endpoints.ServiceProvider.GetCoapServer(), path, allowedOrigins);
    }

    /// <summary>Maps a path to a server. Call <c>UseWebSockets</c>, too. Start the server yourself, and stop it before the host stops.</summary>
    /// <param name="endpoints">The routes of the host.</param>
    /// <param name="server">The server.</param>
    /// <param name="path">The path. Default: "/.well-known/coap", the path that clients use (RFC 8323, section 8.3).</param>
    /// <param name="allowedOrigins">
    /// The origins whose pages may connect, such as "https://example.org": scheme, host and port (RFC 6454). Pages of the same host may always
    /// connect, but must use HTTPS if the request does. "*" allows all origins. Default: none. A request without an Origin header does not come from
    /// a browser and is not checked.
    /// </param>
    /// <returns>A builder for conventions such as authorization. They apply to the opening handshake.</returns>
    /// <exception cref="ArgumentException">An entry of <paramref name="allowedOrigins"/> is not an origin.</exception>
    public static IEndpointConventionBuilder MapCoap(
        this IEndpointRouteBuilder endpoints, CoapServer server, string path = WellKnownPath, IReadOnlyCollection<string>? allowedOrigins = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(server);
        ArgumentException.ThrowIfNullOrEmpty(path);
        var origins = new AllowedOrigins(allowedOrigins);
        return endpoints.MapGet(path, context => ServeAsync(context, server, origins)).WithDisplayName("CoAP over WebSockets");
    }

    private static async Task ServeAsync(HttpContext context, CoapServer server, AllowedOrigins origins)
    {
        if (context.Features.Get<IHttpWebSocketFeature>() is null)
        {
            throw new InvalidOperationException("WebSockets are not enabled in this host. Call UseWebSockets.");
        }
        var sockets = context.WebSockets;
        if (!sockets.IsWebSocketRequest)
        {
            await RefuseAsync(context, StatusCodes.Status426UpgradeRequired, "This path serves CoAP over WebSockets (RFC 8323).").ConfigureAwait(false);
            return;
        }
        if (!sockets.WebSocketRequestedProtocols.Contains(WebSocketServerSettings.Subprotocol))
        {
            await RefuseAsync(context, StatusCodes.Status400BadRequest, "The subprotocol must be 'coap' (RFC 8323, section 4.1).").ConfigureAwait(false);
            return;
        }
        if (!origins.Allow(context.Request))
        {
            origins.LogRefusal(context);
            var reason = $"Pages of {context.Request.Headers.Origin} may not connect. List the origin in the allowedOrigins parameter of MapCoap.";
            await RefuseAsync(context, StatusCodes.Status403Forbidden, reason).ConfigureAwait(false);
            return;
        }
        var (peer, local) = (IdentityOf(context, isPeer: true), IdentityOf(context, isPeer: false));
        var credentials = CredentialsOf(context);
        var scheme = context.Request.IsHttps ? CoapScheme.CoapsWs : CoapScheme.CoapWs;
        if (WebSocketUpgrade.IsPossible(context))
        {
            var stream = await WebSocketUpgrade.AcceptAsync(context).ConfigureAwait(false);
            await server.ServeWebSocketAsync(stream, scheme, peer, local, credentials, CancellationToken.None).ConfigureAwait(false);
            return;
        }
        var socket = await sockets.AcceptWebSocketAsync(Acceptance).ConfigureAwait(false);
        await server.ServeWebSocketAsync(socket, scheme, peer, local, credentials, CancellationToken.None).ConfigureAwait(false);
    }

    private static PeerCredentials? CredentialsOf(HttpContext context)
    {
        var (certificate, user) = (context.Connection.ClientCertificate, context.User);
        var isAuthenticated = user.Identity is { IsAuthenticated: true };
        return certificate is null && !isAuthenticated ? null : new PeerCredentials { Certificate = certificate, User = isAuthenticated ? user : null };
    }

    // The streams of one HTTP/2 connection share a port, and some hosts provide no address.
    private static PeerIdentity IdentityOf(HttpContext context, bool isPeer)
    {
        var (address, port) = isPeer
            ? (context.Connection.RemoteIpAddress, context.Connection.RemotePort)
            : (context.Connection.LocalIpAddress, context.Connection.LocalPort);
        var name = $"web:{context.Connection.Id}/{context.TraceIdentifier}";
        if (address is null) { return PeerIdentity.From(name); }
        var endPoint = new IPEndPoint(address, port);
        // A reverse proxy can forward the address of the peer without its port.
        return port > 0 && HttpProtocol.IsHttp11(context.Request.Protocol) ? PeerIdentity.From(endPoint) : PeerIdentity.From(endPoint, name);
    }

    private static Task RefuseAsync(HttpContext context, int status, string reason)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsync(reason, context.RequestAborted);
    }
}
