using System.Net;
using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleServer;

/// <summary>Servers with TLS, with a freshness check, with problem details and on a local socket, as the documentation shows them.</summary>
internal static class Secure
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        var settings = new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Tls(new IPEndPoint(IPAddress.Loopback, 5684))],
            Tls = new TlsServerSettings
            {
                Certificate = TlsCertificateSource.FromFiles("server.pem", "server.key"),
                TrustedRoots = [X509CertificateLoader.LoadCertificateFromFile("ca.pem")],
                RequiresClientCertificate = true,
            },
        };
        await using var server = new CoapServer(settings);
        server.Resources.At("hello").Get(request => Response.Content($"Hello, {request.Credentials!.Certificate!.Subject}!"));
        await server.RunAsync(cancellationToken);
    }

    public static void MapFirmware(CoapServer server, RequestDelegate storeFirmware)
    {
        server.Resources.At("devices/{id}/firmware").StreamsBody().Put(storeFirmware).Authorize(request =>
            request.Credentials?.Certificate?.GetNameInfo(X509NameType.SimpleName, forIssuer: false) == request["id"]
                ? AuthorizationDecision.Allow(TimeSpan.FromMinutes(1))
                : AuthorizationDecision.Deny());
    }

    public static void MapDoors(
        CoapServer server, RequestDelegate openDoor, Func<PeerCredentials?, string, CancellationToken, Task<bool>> mayOpen)
    {
        server.Resources.At("doors/{id}").Put(openDoor).Authorize(async (request, cancellationToken) =>
            await mayOpen(request.Credentials, request["id"], cancellationToken) ? AuthorizationDecision.Allow() : AuthorizationDecision.Deny());
    }

    public static CoapServer ShareByCustomer()
    {
        var settings = new CoapServerSettings
        {
            Ledger = new() { AccountOf = (peer, credentials) => credentials?.PreSharedKeyIdentity is { } device ? Account.Of(device.Split('/')[0]) : null },
        };
        return new CoapServer(settings);
    }

    public static void MapDoor(ResourceMap resources)
    {
        resources.At("door").Put(_ => Response.Changed).RequiresFreshness(TimeSpan.FromSeconds(10));
        resources.At("report").Post(_ => Response.Changed).LimitRate(new RateLimit { Requests = 10, Per = TimeSpan.FromMinutes(1) });
    }

    public static void MapValve(ResourceMap resources)
    {
        resources.At("valve").Put(request => int.TryParse(request.PayloadText, out var percent) && percent is >= 0 and <= 100
            ? Response.Changed
            : Response.Problem(ResponseCode.BadRequest, "Invalid opening", "The opening must be 0 to 100 percent."));
    }

    public static async Task ListenLocallyAsync(CancellationToken cancellationToken)
    {
        await using var server = new CoapServer(new CoapServerSettings { Endpoints = [ServerEndpoint.Unix("/tmp/coap.sock")] });
        server.Resources.At("hello").Get(_ => Response.Content("Hello, neighbour!"));
        await server.RunAsync(cancellationToken);
    }
}
