using System.Globalization;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using SampleServer;

namespace CoAP.Measurements.Serving;

/// <summary>The same resources over every transport: UDP, TCP, TLS, WebSocket and a Unix socket.</summary>
internal sealed class TransportService : IService
{
    private const int LargestInMemory = 64 << 10;
    private readonly CoapServer _server;
    private readonly WebApplication _web;
    private readonly X509Certificate2 _certificate;
    private readonly string _unixPath;

    private TransportService(CoapServer server, WebApplication web, X509Certificate2 certificate, string unixPath) =>
        (_server, _web, _certificate, _unixPath) = (server, web, certificate, unixPath);

    public IEnumerable<string> Addresses =>
    [
        .. _server.Endpoints.Where(endpoint => endpoint.UnixPath is null).Select(endpoint => $"{Short(endpoint.Scheme)} {endpoint.Address.Port}"),
        $"unix {_unixPath}",
        $"ws {new Uri(_web.Urls.First()).Port}",
        $"certificate {Convert.ToBase64String(_certificate.RawData)}",
    ];

    public static async Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var certificate = Certificates.Make();
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        var unixPath = Path.Combine(Path.GetTempPath(), $"coap-{Environment.ProcessId}.sock");
        var server = new CoapServer(Settings.Server with
        {
            Endpoints = [ServerEndpoint.Udp(here), ServerEndpoint.Tcp(here), ServerEndpoint.Tls(here), ServerEndpoint.Unix(unixPath)],
            Mode = values.TryGetValue("mode", out var mode) ? Enum.Parse<ServerMode>(mode, ignoreCase: true) : ServerMode.Async,
            Tls = new TlsServerSettings { Certificate = TlsCertificateSource.From(certificate) },
        });
        Map(server.Resources);
        server.Start();
        return new TransportService(server, await HostAsync(server, here), certificate, unixPath);
    }

    private static void Map(ResourceMap resources)
    {
        resources.At("echo").Post((request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        resources.At("body").Get((request, _) => new(BodyOf(long.Parse(request.Query("size")!, CultureInfo.InvariantCulture), request.Query("memory") is not null)));
    }

    private static CoapResponse BodyOf(long size, bool isInMemory) => isInMemory || size <= LargestInMemory
        ? Response.Content(new byte[size], ContentFormats.OctetStream)
        : Response.Content(new Pattern(size), ContentFormats.OctetStream, size);

    /// <summary>A web host in which a server takes WebSockets.</summary>
    public static async Task<WebApplication> HostAsync(CoapServer server, IPEndPoint address)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(address));
        var web = builder.Build();
        web.UseWebSockets();
        web.MapCoap(server);
        await web.StartAsync();
        return web;
    }

    private static string Short(string scheme) => scheme switch { "coap+udp" => "udp", "coap+tcp" => "tcp", "coaps+tcp" => "tls", _ => scheme };

    public async ValueTask DisposeAsync()
    {
        await _web.DisposeAsync();
        await _server.DisposeAsync();
        _certificate.Dispose();
    }
}
