using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore.Tests;

/// <summary>A web host that serves CoAP beside HTTP, on a port that the system chooses.</summary>
internal sealed class WebHost : IAsyncDisposable
{
    private readonly WebApplication _application;

    private WebHost(WebApplication application) => (_application, Address) = (application, application.Urls.First());

    public CoapServer Server => _application.Services.GetRequiredService<CoapServer>();

    public string Address { get; }

    public string Authority => new Uri(Address).Authority;

    public Uri WebSocket => new($"ws://{Authority}/.well-known/coap");

    public static async Task<WebHost> StartAsync(CoapServerSettings? settings = null, Action<CoapServer>? map = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddCoapServer(defaults => settings ?? defaults with { Endpoints = [] }).Map(map ?? Map);
        var application = builder.Build();
        application.UseWebSockets();
        application.MapCoap();
        application.MapGet("/", () => "HTTP as before");
        await application.StartAsync();
        return new(application);
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static void Map(CoapServer server)
    {
        server.Resources.At("hello").Get((_, _) => new(Response.Content("Hello, CoAP!")));
        server.Resources.At("echo").Post((request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        server.Resources.At("who").Get((request, _) => new(Response.Content(request.Peer.ToString())));
    }
}
