using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Measurements.Serving;

/// <summary>A server over UDP, TCP, TLS, WebSocket and a Unix socket at once.</summary>
internal sealed class EveryTransport : IAsyncDisposable
{
    private readonly CoapServer _server;
    private readonly WebApplication _web;
    private readonly X509Certificate2 _certificate;
    private readonly string _unixPath;

    private EveryTransport(CoapServer server, WebApplication web, X509Certificate2 certificate, string unixPath) =>
        (_server, _web, _certificate, _unixPath) = (server, web, certificate, unixPath);

    /// <summary>"name value" for each transport, and the certificate.</summary>
    public IEnumerable<string> Addresses =>
    [
        .. _server.Endpoints.Where(static endpoint => endpoint.UnixPath is null).Select(static endpoint => $"{Short(endpoint.Scheme)} {endpoint.Address.Port}"),
        $"unix {_unixPath}",
        $"ws {new Uri(_web.Urls.First()).Port}",
        $"certificate {Convert.ToBase64String(_certificate.RawData)}",
    ];

    /// <summary>Starts it, sync where the value of "mode" says so.</summary>
    /// <param name="values">"name=value" of the command line.</param>
    /// <param name="tls">Gets the certificate.</param>
    /// <param name="stream">For everything but UDP.</param>
    /// <param name="map">Adds the resources.</param>
    public static async Task<EveryTransport> StartAsync(
        IReadOnlyDictionary<string, string> values, TlsServerSettings tls, StreamSettings stream, Action<ResourceMap> map)
    {
        var certificate = Certificates.Make();
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        var unixPath = Path.Combine(Path.GetTempPath(), $"coap-{Environment.ProcessId}.sock");
        var server = new CoapServer(Settings.Server with
        {
            Endpoints = [ServerEndpoint.Udp(here), ServerEndpoint.Tcp(here), ServerEndpoint.Tls(here), ServerEndpoint.Unix(unixPath)],
            Mode = values.TryGetValue("mode", out var mode) ? Enum.Parse<ServerMode>(mode, ignoreCase: true) : ServerMode.Async,
            Tls = tls with { Certificate = TlsCertificateSource.From(certificate) },
            Stream = stream,
        });
        map(server.Resources);
        server.Start();
        return new EveryTransport(server, await HostAsync(server, here), certificate, unixPath);
    }

    public async ValueTask DisposeAsync()
    {
        await _web.DisposeAsync();
        await _server.DisposeAsync();
        _certificate.Dispose();
    }

    // WebSockets come by way of a web host.
    private static async Task<WebApplication> HostAsync(CoapServer server, IPEndPoint address)
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

    private static string Short(string scheme) => scheme switch { "coap+tcp" => "tcp", "coaps+tcp" => "tls", _ => "udp" };
}
