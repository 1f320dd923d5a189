using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Benchmarks.Load;

/// <summary>A CoAP server over some of the transports "udp", "dtls", "tcp", "tls", "unix" and "ws".</summary>
internal sealed class CoapService : IService
{
    private static readonly IPEndPoint Here = new(IPAddress.Loopback, 0);

    private readonly string _unixPath = Path.Combine(Path.GetTempPath(), $"coap-{Environment.ProcessId}.sock");
    private readonly X509Certificate2? _certificate;
    private readonly CoapServer _server;
    private readonly Func<string, string> _answer;
    private WebApplication? _web;

    private CoapService(CoapServerSettings settings, IReadOnlyList<string> transports, Func<string, string> answer)
    {
        _answer = answer;
        _certificate = transports.Contains("tls") ? MakeCertificate() : null;
        _server = new CoapServer(settings with
        {
            Endpoints = [.. transports.Where(static name => name != "ws").Select(EndpointOf)],
            Tls = _certificate is null ? settings.Tls : settings.Tls with { Certificate = TlsCertificateSource.From(_certificate) },
        });
    }

    public IEnumerable<string> Addresses =>
    [
        .. _server.Endpoints.Select(endpoint => endpoint.UnixPath is null ? $"{NameOf(endpoint.Scheme)} {endpoint.Address.Port}" : $"unix {_unixPath}"),
        .. _web is null ? Array.Empty<string>() : [$"ws {new Uri(_web.Urls.First()).Port}"],
        .. _certificate is null ? Array.Empty<string>() : [$"certificate {Convert.ToBase64String(_certificate.RawData)}"],
    ];

    /// <summary>Starts a server. The endpoints and the certificate are added to its settings.</summary>
    /// <param name="settings">The other settings.</param>
    /// <param name="transports">The names of its transports.</param>
    /// <param name="map">Adds its resources.</param>
    /// <param name="answer">Answers questions of the measurement.</param>
    public static async Task<IService> StartAsync(
        CoapServerSettings settings, IReadOnlyList<string> transports, Action<CoapServer> map, Func<string, string>? answer = null)
    {
        var service = new CoapService(settings, transports, answer ?? (static _ => ""));
        map(service._server);
        service._server.Start();
        if (transports.Contains("ws")) { service._web = await HostAsync(service._server); }
        return service;
    }

    public string Answer(string question) => _answer(question);

    public async ValueTask DisposeAsync()
    {
        if (_web is not null) { await _web.DisposeAsync(); }
        await _server.DisposeAsync();
        _certificate?.Dispose();
    }

    private ServerEndpoint EndpointOf(string transport) => transport switch
    {
        "udp" => ServerEndpoint.Udp(Here),
        "tcp" => ServerEndpoint.Tcp(Here),
        "tls" => ServerEndpoint.Tls(Here),
        "dtls" => ServerEndpoint.Dtls(Here),
        _ => ServerEndpoint.Unix(_unixPath),
    };

    private static string NameOf(string scheme) => scheme switch { "coap+tcp" => "tcp", "coaps+tcp" => "tls", "coaps" => "dtls", _ => "udp" };

    // ASP.NET Core hosts the WebSockets.
    private static async Task<WebApplication> HostAsync(CoapServer server)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(Here));
        var web = builder.Build();
        web.UseWebSockets();
        web.MapCoap(server);
        await web.StartAsync();
        return web;
    }

    private static X509Certificate2 MakeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=CoAP.NET measurements", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = DateTimeOffset.UtcNow;
        using var made = request.CreateSelfSigned(now.AddMinutes(-5), now.AddDays(2));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }
}
