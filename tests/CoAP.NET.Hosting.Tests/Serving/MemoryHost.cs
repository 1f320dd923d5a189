using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>A host whose server is on an in-memory network, and a client there.</summary>
internal sealed class MemoryHost : IAsyncDisposable
{
    private readonly InMemoryNetwork _network = new();
    private readonly HostApplicationBuilder _builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());

    public MemoryHost()
    {
        _builder.ConfigureContainer(new DefaultServiceProviderFactory(new ServiceProviderOptions { ValidateScopes = true, ValidateOnBuild = true }));
        Server = _builder.Services.AddCoapServer(settings => settings with { Network = _network, Endpoints = [ServerEndpoint.InMemory("server")] });
        _builder.Services.AddSingleton<ILoggerFactory>(Log);
        Client = new CoapClient(new CoapClientSettings { Network = _network });
    }

    public TestSupport.TestLog Log { get; } = new();

    public IServiceCollection Services => _builder.Services;

    public CoapServerBuilder Server { get; }

    public CoapClient Client { get; }

    public IHost Host => field ??= _builder.Build();

    public ValueTask<CoapResponse> GetAsync(string path) => Client.GetAsync($"coap://server/{path}");

    public Task StartAsync() => Host.StartAsync();

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
