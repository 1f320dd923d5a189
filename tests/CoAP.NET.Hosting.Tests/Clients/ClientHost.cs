using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Clients;

/// <summary>A host with clients, and a server named "peer" that they reach in memory.</summary>
internal sealed class ClientHost : IAsyncDisposable
{
    private readonly InMemoryNetwork _network = new();
    private readonly IHost _host;

    private ClientHost(Action<CoapServer> map, Action<IServiceCollection> add, Action<HostApplicationBuilder>? configure)
    {
        Server = new CoapServer(new CoapServerSettings { Network = _network, Endpoints = [ServerEndpoint.InMemory("peer")] });
        map(Server);
        Server.Start();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        configure?.Invoke(builder);
        builder.Services.ConfigureCoapClient(settings => settings with { Network = _network });
        add(builder.Services);
        _host = builder.Build();
    }

    public CoapServer Server { get; }

    public IServiceProvider Services => _host.Services;

    public Task StartAsync() => _host.StartAsync();

    public static ClientHost With(Action<IServiceCollection> add, Action<CoapServer>? map = null, Action<HostApplicationBuilder>? configure = null) =>
        new(map ?? (static server => server.Resources.At("light").Get(_ => new CoapResponse(ResponseCode.Content) { Payload = "on"u8.ToArray() }, HandlerMode.Inline)), add, configure);

    public async ValueTask DisposeAsync()
    {
        await ((IAsyncDisposable)_host).DisposeAsync();
        await Server.DisposeAsync();
    }
}
