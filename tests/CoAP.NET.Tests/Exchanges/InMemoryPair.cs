namespace CoAP.Tests.Exchanges;

/// <summary>A server and a client on an in-memory network. The server starts with the first request.</summary>
internal sealed class InMemoryPair : IAsyncDisposable
{
    private readonly Lazy<CoapServer> _started;

    public InMemoryPair(Func<CoapServerSettings, CoapServerSettings>? adapt = null)
    {
        var network = new InMemoryNetwork();
        var settings = new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] };
        Server = new CoapServer(adapt?.Invoke(settings) ?? settings);
        LazyClient = new(() => new CoapClient(new() { Network = network }));
        _started = new(() =>
        {
            Server.Start();
            return Server;
        });
    }

    public CoapServer Server { get; }

    public CoapClient Client
    {
        get
        {
            _ = _started.Value;
            return LazyClient.Value;
        }
    }

    private Lazy<CoapClient> LazyClient { get; }

    public async Task<CoapResponse> AskAsync(string scheme, string path) =>
        await Client.GetAsync($"{scheme}://server/{path}").AsTask().WaitAsync(TimeSpan.FromMinutes(1));

    public async ValueTask DisposeAsync()
    {
        if (LazyClient.IsValueCreated) { await LazyClient.Value.DisposeAsync(); }
        await Server.DisposeAsync();
    }
}
