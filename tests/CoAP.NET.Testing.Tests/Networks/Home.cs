namespace CoAP.Testing.Tests.Networks;

/// <summary>A server "device" and a client "client" with the default settings.</summary>
public sealed class Home : IAsyncDisposable
{
    public Home(Action<ResourceMap>? map = null, int seed = 7)
    {
        World = new SimulatedNetwork(seed);
        Server = new CoapServer(World.Place(new CoapServerSettings(), "device"));
        Server.Resources.At("hello").Get((_, _) => new(Response.Content("Hello!")));
        map?.Invoke(Server.Resources);
        Server.Start();
        Client = new CoapClient(World.Place(new CoapClientSettings()));
    }

    public SimulatedNetwork World { get; }

    public CoapServer Server { get; }

    public CoapClient Client { get; }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}
