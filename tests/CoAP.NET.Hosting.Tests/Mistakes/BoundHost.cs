using CoAP.Formats;
using CoAP.Hosting.Tests.Binding;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>A host with resources for clients that make mistakes.</summary>
internal sealed class BoundHost : IAsyncDisposable
{
    private readonly InMemoryNetwork _network = new();
    private readonly IHost _host;
    private readonly CoapClient _client;

    public BoundHost()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddCoapServer(settings => settings with
        {
            Network = _network,
            Endpoints = [ServerEndpoint.InMemory("server")],
            Formats = PayloadFormats.Of(new JsonFormat(ReadingJson.Default)),
        });
        _host = builder.Build();
        _host.MapCoapGet("/levels/{id:int}", (int id) => $"{id}");
        _host.MapCoapPut("/levels/{id:int}", (int id, Reading reading) => { _ = (id, reading); });
        _host.MapCoapGet("/history", (int limit) => $"{limit}");
        var server = _host.Services.GetRequiredService<CoapServer>();
        server.Resources.At("fails").Get(_ => throw new InvalidOperationException("a defect"));
        server.Resources.At("waits").Get(static request => Wait(request), HandlerMode.Inline);
        _client = new CoapClient(new CoapClientSettings { Network = _network });
    }

    public Task StartAsync() => _host.StartAsync();

    public Task<CoapResponse> GetAsync(string path) => _client.GetAsync("coap://server" + path).AsTask();

    public Task<CoapResponse> PutAsync(string path, string text, uint format) =>
        _client.PutAsync("coap://server" + path, System.Text.Encoding.UTF8.GetBytes(text), format).AsTask();

    private static CoapResponse Wait(IncomingRequest request)
    {
        try { return request.Channel.Get("/model"); }
        catch (InvalidOperationException exception)
        {
            return Response.Content(exception.Message);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.StopAsync();
        _host.Dispose();
    }
}
