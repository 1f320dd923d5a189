using System.Net;
using System.Net.Sockets;
using CoAP;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace SampleServer;

/// <summary>Serves the same resources over WebSockets, in a web host that also serves HTTP.</summary>
internal sealed class WebSockets : IAsyncDisposable
{
    private readonly WebApplication? _host;

    private WebSockets(WebApplication? host) => _host = host;

    /// <summary>Such as "coap+ws://127.0.0.1:8080".</summary>
    public IEnumerable<string> Addresses => _host?.Urls.Select(url => "coap" + url.Replace("https://", "s+ws://").Replace("http://", "+ws://")) ?? [];

    public static async Task<WebSockets> StartAsync(Arguments arguments, CoapServer server, TlsCertificateSource certificate)
    {
        if (arguments.WebSocketPort is null && arguments.SecuredWebSocketPort is null) { return new(null); }
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Configuration["AllowedHosts"] = string.Join(';', NamesOf(arguments.Hosts));
        builder.WebHost.UseKestrelHttpsConfiguration().ConfigureKestrel(kestrel =>
        {
            // A web host can pick a free port for one address only.
            foreach (var host in arguments.Hosts.Take(1))
            {
                if (arguments.WebSocketPort is { } port) { kestrel.Listen(host, port); }
                if (arguments.SecuredWebSocketPort is { } secured)
                {
                    kestrel.Listen(host, secured, listen => listen.UseHttps(certificate.Select("").TargetCertificate));
                }
            }
        });
        var application = builder.Build();
        application.UseWebSockets();
        application.MapCoap(server);
        application.MapGet("/", () => Results.Text("Connect to /.well-known/coap with a WebSocket to speak CoAP (RFC 8323)."));
        await application.StartAsync();
        return new(application);
    }

    // A foreign page can make its own name lead to this machine (DNS rebinding). For a browser, this server then belongs to the page. It is refused by its name.
    private static IEnumerable<string> NamesOf(IEnumerable<IPAddress> hosts)
    {
        var addresses = hosts.SelectMany(static host => host.Equals(IPAddress.IPv6Any) || host.Equals(IPAddress.Any) ? Dns.GetHostAddresses(Dns.GetHostName()) : [host]);
        IPAddress[] all = [IPAddress.Loopback, IPAddress.IPv6Loopback, .. addresses];
        return all.Select(static address => address.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{new IPAddress(address.GetAddressBytes())}]" : $"{address}")
            .Append("localhost").Append(Dns.GetHostName()).Distinct();
    }

    public async ValueTask DisposeAsync()
    {
        if (_host is not null) { await _host.DisposeAsync(); }
    }
}
