using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>A server with typed handlers, and a client in the same process.</summary>
internal sealed class BoundServer : IAsyncDisposable
{
    private static readonly PayloadFormats Formats = PayloadFormats.Of(new JsonFormat(ReadingJson.Default));

    private readonly InMemoryNetwork _network = new();
    private readonly CoapServer? _server;
    private readonly IHost? _host;
    private readonly CoapClient _client;

    private BoundServer(Action<ResourceMap> map)
    {
        _server = new CoapServer(Settings(new CoapServerSettings()));
        map(_server.Resources);
        _server.Start();
        _client = new CoapClient(new CoapClientSettings { Network = _network, Formats = Formats });
    }

    private BoundServer(Action<IServiceCollection> configure)
    {
        var builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddCoapServer(Settings);
        configure(builder.Services);
        _host = builder.Build();
        _client = new CoapClient(new CoapClientSettings { Network = _network, Formats = Formats });
    }

    public static BoundServer With(Action<ResourceMap> map) => new(map);

    public static async Task<BoundServer> InHostAsync(Action<IServiceCollection> configure, Action<IHost> map)
    {
        var server = new BoundServer(configure);
        map(server._host!);
        await server._host!.StartAsync();
        return server;
    }

    public Task<CoapResponse> GetAsync(string path) => AskAsync(RequestCode.Get, path);

    public async Task<CoapResponse> AskAsync(CoapRequest request) => await _client.SendAsync(request);

    public async Task<CoapResponse> AskAsync(CoapCode method, string path, string? json = null)
    {
        var request = json is null
            ? new CoapRequest(method, "coap://server" + path)
            : new CoapRequest(method, "coap://server" + path)
            {
                Options = [new Options.ContentFormat(ContentFormats.Json)],
                Payload = System.Text.Encoding.UTF8.GetBytes(json),
            };
        return await _client.SendAsync(request);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        if (_server is not null) { await _server.DisposeAsync(); }
        if (_host is null) { return; }
        await _host.StopAsync();
        _host.Dispose();
    }

    private CoapServerSettings Settings(CoapServerSettings settings) =>
        settings with { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")], Formats = Formats };
}
