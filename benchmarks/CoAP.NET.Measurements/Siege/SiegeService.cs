using System.Net;
using System.Security.Cryptography.X509Certificates;
using CoAP.Measurements.Serving;
using Microsoft.AspNetCore.Builder;

namespace CoAP.Measurements.Siege;

/// <summary>The server that is attacked: over every transport, with time limits so short that a run sees them pass.</summary>
internal sealed class SiegeService : IService
{
    /// <summary>No limit of time is longer than twice this.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly CoapServer _server;
    private readonly WebApplication _web;
    private readonly X509Certificate2 _certificate;
    private readonly Counters _counters = new();
    private readonly string _unixPath;

    private SiegeService(CoapServer server, WebApplication web, X509Certificate2 certificate, string unixPath) =>
        (_server, _web, _certificate, _unixPath) = (server, web, certificate, unixPath);

    public IEnumerable<string> Addresses =>
    [
        .. _server.Endpoints.Where(static endpoint => endpoint.UnixPath is null).Select(static endpoint => $"{NameOf(endpoint)} {endpoint.Address.Port}"),
        $"unix {_unixPath}",
        $"ws {new Uri(_web.Urls.First()).Port}",
    ];

    public static async Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var certificate = Certificates.Make();
        var here = new IPEndPoint(IPAddress.Loopback, 0);
        var unixPath = Path.Combine(Path.GetTempPath(), $"coap-siege-{Environment.ProcessId}.sock");
        var server = new CoapServer(Settings.Server with
        {
            Endpoints = [ServerEndpoint.Udp(here), ServerEndpoint.Tcp(here), ServerEndpoint.Tls(here), ServerEndpoint.Unix(unixPath)],
            Mode = values.TryGetValue("mode", out var mode) ? Enum.Parse<ServerMode>(mode, ignoreCase: true) : ServerMode.Async,
            Tls = new TlsServerSettings { Certificate = TlsCertificateSource.From(certificate), HandshakeTimeout = Patience },
            Stream = new StreamSettings
            {
                CsmTimeout = Patience,
                MessageTimeout = Patience,
                IdleTimeout = 2 * Patience,
                PingInterval = Patience,
                PingTimeout = Patience,
                ReleaseTimeout = Patience,
            },
        });
        server.Resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        server.Resources.At("large").Get(static (_, _) => new(Response.Content(new byte[60_000], ContentFormats.OctetStream)));
        server.Resources.At("echo").Post(static (request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        server.Start();
        return new SiegeService(server, await TransportService.HostAsync(server, here), certificate, unixPath);
    }

    public string Answer(string question) => question switch
    {
        "counters" => _counters.Read(),
        _ => "",
    };

    public async ValueTask DisposeAsync()
    {
        await _web.DisposeAsync();
        await _server.DisposeAsync();
        _counters.Dispose();
        _certificate.Dispose();
    }

    private static string NameOf(ServerEndpoint endpoint) => endpoint.Scheme switch { "coaps+tcp" => "tls", "coap+tcp" => "tcp", _ => "udp" };
}
