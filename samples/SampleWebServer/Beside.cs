using System.Net;
using CoAP;

namespace SampleWebServer;

/// <summary>A web host that serves the same resources over UDP and TLS too.</summary>
internal static class Beside
{
    public static void Add(WebApplicationBuilder builder)
    {
        builder.Services.AddCoapServer(settings => settings with
        {
            Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Any, 5683)), ServerEndpoint.Tls(new IPEndPoint(IPAddress.Any, 5684))],
            Tls = new TlsServerSettings { Certificate = TlsCertificateSource.FromFiles("server.pem", "server.key") },
        });
    }
}
