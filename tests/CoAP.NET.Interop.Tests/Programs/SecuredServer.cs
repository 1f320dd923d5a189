using System.Net;
using Microsoft.Extensions.Logging;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A server of ours in this process, which serves DTLS on a free port. It greets the peer at "hello".</summary>
internal static class SecuredServer
{
    public static CoapServer Start(DtlsServerSettings dtls, IPAddress? address = null, ILoggerFactory? log = null)
    {
        var settings = new CoapServerSettings { Endpoints = [ServerEndpoint.Dtls(new IPEndPoint(address ?? IPAddress.Loopback, 0))], Dtls = dtls };
        var server = new CoapServer(log is null ? settings : settings with { LoggerFactory = log });
        server.Resources.At("hello").Get((request, _) => new(Response.Content($"Hello, {NameOf(request.Credentials)}!")));
        server.Start();
        return server;
    }

    public static IPEndPoint Address(this CoapServer server) => server.Endpoints[0].Address;

    private static string NameOf(PeerCredentials? credentials) =>
        credentials?.PreSharedKeyIdentity ?? credentials?.Certificate?.Subject ?? credentials?.RawPublicKey?.Identifier ?? "nobody";
}
