using System.Net;
using CoAP;
using CoAP.AspNetCore;
using CoAP.Transports;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Puts a CoAP server into a web host: devices and browsers reach it over WebSockets (RFC 8323, section 4).</summary>
public static class CoapEndpoints
{
    private const string WellKnownPath = WebSocketConnection.Path;

    /// <summary>Serves the <see cref="CoapServer"/> of the host's services under a path; <c>UseWebSockets</c> has to come before it.</summary>
    /// <param name="endpoints">The host's routes.</param>
    /// <param name="path">"/.well-known/coap", where clients look for it (RFC 8323, section 8.3).</param>
    /// <returns>To add conventions such as authorization, which hold for the opening handshake.</returns>
    /// <exception cref="InvalidOperationException">No server was added to the services.</exception>
    public static IEndpointConventionBuilder MapCoap(this IEndpointRouteBuilder endpoints, string path = WellKnownPath)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        var server = endpoints.ServiceProvider.GetService<CoapServer>()
            ?? throw new InvalidOperationException("There is no CoapServer among the services: call AddCoapServer, or hand one to MapCoap.");
        return endpoints.MapCoap(server, path);
    }

    /// <summary>Serves a server under a path; <c>UseWebSockets</c> has to come before it. The server has to be started, and ends before the host does.</summary>
    /// <param name="endpoints">The host's routes.</param>
    /// <param name="server">What answers.</param>
    /// <param name="path">"/.well-known/coap", where clients look for it (RFC 8323, section 8.3).</param>
    /// <returns>To add conventions such as authorization, which hold for the opening handshake.</returns>
    public static IEndpointConventionBuilder MapCoap(this IEndpointRouteBuilder endpoints, CoapServer server, string path = WellKnownPath)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(server);
        ArgumentException.ThrowIfNullOrEmpty(path);
        return endpoints.MapGet(path, context => ServeAsync(context, server)).WithDisplayName("CoAP over WebSockets");
    }

    private static async Task ServeAsync(HttpContext context, CoapServer server)
    {
        if (context.Features.Get<IHttpWebSocketFeature>() is null)
        {
            throw new InvalidOperationException("WebSockets are not switched on in this host: call UseWebSockets before MapCoap.");
        }
        var sockets = context.WebSockets;
        if (!sockets.IsWebSocketRequest)
        {
            await RefuseAsync(context, StatusCodes.Status426UpgradeRequired, "CoAP is spoken here over WebSockets (RFC 8323).").ConfigureAwait(false);
            return;
        }
        if (!sockets.WebSocketRequestedProtocols.Contains(WebSocketConnection.Subprotocol))
        {
            await RefuseAsync(context, StatusCodes.Status400BadRequest, "The subprotocol has to be 'coap' (RFC 8323, section 4.1).").ConfigureAwait(false);
            return;
        }
        var socket = await WebSocketUpgrade.AcceptAsync(context).ConfigureAwait(false);
        using var _ = socket.Socket;
        var credentials = context.Connection.ClientCertificate is { } certificate ? new PeerCredentials { Certificate = certificate } : null;
        await server.ServeAsync(socket, IdentityOf(context, isPeer: true), IdentityOf(context, isPeer: false), credentials).ConfigureAwait(false);
    }

    // Several streams of one HTTP/2 connection come from the same port, and some hosts know no address at all.
    private static PeerIdentity IdentityOf(HttpContext context, bool isPeer)
    {
        var (address, port) = isPeer
            ? (context.Connection.RemoteIpAddress, context.Connection.RemotePort)
            : (context.Connection.LocalIpAddress, context.Connection.LocalPort);
        return address is not null && HttpProtocol.IsHttp11(context.Request.Protocol)
            ? PeerIdentity.From(new IPEndPoint(address, port))
            : PeerIdentity.From($"web:{context.Connection.Id}/{context.TraceIdentifier}");
    }

    private static Task RefuseAsync(HttpContext context, int status, string reason)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsync(reason, context.RequestAborted);
    }
}
