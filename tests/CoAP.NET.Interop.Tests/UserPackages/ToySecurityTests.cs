namespace CoAP.Interop.Tests.UserPackages;

/// <summary>A security layer can be written with nothing but the public surface: this project sees no internals of the library.</summary>
public sealed class ToySecurityTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_package_can_shake_hands_protect_frames_and_name_the_peer(int lostHellos)
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.InMemory("server")],
            Network = network,
            Links = [ToySecurity.Server(lostHellos)],
        });
        server.Resources.At("whoami").Get((request, _) => new(Response.Content(request.Peer.ToString())));
        server.Resources.At("slow").Get(async (request, cancellationToken) =>
        {
            request.Acknowledge();
            await Task.Yield();
            return Response.Content($"late, {request.Credentials?.PreSharedKeyIdentity}");
        });
        using var stopping = new CancellationTokenSource();
        var running = server.RunAsync(stopping.Token);
        await using var client = new CoapClient(new CoapClientSettings { Network = network, Links = [ToySecurity.Client("sensor-7")] });

        var first = await client.GetAsync("coap://server/whoami");
        var late = await client.GetAsync("coap://server/slow");
        var many = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => client.GetAsync("coap://server/whoami").AsTask()));

        first.PayloadText.Should().Be("sensor-7", "the server knows the peer by the name of its session");
        late.PayloadText.Should().Be("late, sensor-7");
        many.Should().OnlyContain(response => response.PayloadText == "sensor-7");
        await stopping.CancelAsync();
        await running;
    }

    [Fact]
    public async Task A_package_can_share_a_limit_of_the_endpoint_between_its_peers()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.InMemory("server")],
            Network = network,
            Links = [ToySecurity.Server()],
            Tcp = new TcpSettings { MaxConnections = 3 },
        });
        server.Resources.At("whoami").Get((request, _) => new(Response.Content(request.Peer.ToString())));
        server.Start();
        var clients = Enumerable.Range(1, 4)
            .Select(index => new CoapClient(new CoapClientSettings { Network = network, Links = [ToySecurity.Client($"sensor-{index}")] })).ToList();
        var last = new CoapRequest(RequestCode.Get, "coap://server/whoami") { IsConfirmable = false, ResponseTimeout = TimeSpan.FromMilliseconds(200) };

        foreach (var client in clients.Take(3)) { (await client.GetAsync("coap://server/whoami")).PayloadText.Should().StartWith("sensor-"); }
        await clients[3].Invoking(client => client.SendAsync(last).AsTask()).Should().ThrowAsync<CoapTimeoutException>();

        foreach (var client in clients) { await client.DisposeAsync(); }
    }

    [Fact]
    public async Task Unprotected_messages_are_ignored()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.InMemory("server")],
            Network = network,
            Links = [ToySecurity.Server()],
        });
        server.Resources.At("whoami").Get((request, _) => new(Response.Content("heard")));
        using var stopping = new CancellationTokenSource();
        var running = server.RunAsync(stopping.Token);
        await using var stranger = new CoapClient(new CoapClientSettings { Network = network });
        var request = new CoapRequest(RequestCode.Get, "coap://server/whoami") { IsConfirmable = false, ResponseTimeout = TimeSpan.FromMilliseconds(200) };

        await stranger.Invoking(client => client.SendAsync(request).AsTask()).Should().ThrowAsync<CoapTimeoutException>();

        await stopping.CancelAsync();
        await running;
    }
}
