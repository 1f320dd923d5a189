using CoAP;

namespace SampleServer;

/// <summary>The code of the page "Testing without sockets".</summary>
internal static class WithoutSockets
{
    public static async Task<string> AskAsync(Action<ResourceMap> map, CancellationToken cancellationToken)
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("device")] });
        map(server.Resources);
        server.Start();

        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        var response = await client.GetAsync("coap://device/hello", cancellationToken);
        return response.EnsureSuccess().PayloadText;
    }

    public static InMemoryNetwork LosingEveryThird()
    {
        var sent = 0;
        return new InMemoryNetwork { Deliver = _ => Interlocked.Increment(ref sent) % 3 == 0 ? [] : [TimeSpan.Zero] };
    }
}
