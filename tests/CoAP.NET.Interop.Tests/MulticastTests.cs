using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests;

/// <summary>Groups on a network of two machines: our client and server, and libcoap's.</summary>
public sealed class MulticastTests(MulticastTests.Networks networks) : IClassFixture<MulticastTests.Networks>
{
    private const string IPv4 = "224.0.1.187";

    private static readonly MulticastRequestSettings Request = new()
    {
        Interfaces = MulticastInterfaces.Of(Namespaces.Interface),
        ListenFor = TimeSpan.FromSeconds(15),
    };

    [SkippableTheory]
    [InlineData("coap://224.0.1.187/hello"), InlineData("coap://[ff02::fd]/hello"), InlineData("coap://[ff05::fd]/hello")]
    [InlineData("coap://[ff04::fd]/hello")]
    [InlineData("coap://[ff02::fd%25coap0]/hello")]
    [Trait("RFC", "7252 12.8")]
    public async Task Our_client_finds_a_server_on_its_own_machine_and_one_on_the_other(string uri)
    {
        var network = await networks.WithTwoServersAsync();

        var found = await Namespaces.RunInAsync(network.B, () => Ask(uri, count: 2));

        found.Select(answer => answer.PayloadText).Should().Equal("Hello, CoAP!", "Hello, CoAP!");
        found.Select(answer => answer.Remote).Should().OnlyHaveUniqueItems();
        found.Should().OnlyContain(answer => answer.Remote.Port == 5683);
    }

    [SkippableTheory]
    [InlineData("coap://224.0.1.187/.well-known/core"), InlineData("coap://[ff02::fd%coap0]/.well-known/core")]
    [Trait("RFC", "7252 8")]
    public async Task Our_server_answers_libcoap(string uri)
    {
        Needed.Programs(Needed.CoapClient);
        var network = await networks.WithOneServerAsync();

        await using var client = Namespaces.Start(network.B, Needed.CoapClient, "-v", "7", "-N", "-B", "60", "-m", "get", $"{uri}?rt=temperature");

        await client.LineAsync(line => line.Contains("t:NON c:2.05", StringComparison.Ordinal));
        await client.LineAsync(line => line.Contains("</sensors/temperature>", StringComparison.Ordinal));
    }

    [SkippableTheory]
    [InlineData("coap://224.0.1.187/.well-known/core", IPv4), InlineData("coap://[ff02::fd]/.well-known/core", "ff02::fd")]
    [Trait("RFC", "7252 8")]
    public async Task Our_client_hears_the_server_of_libcoap(string uri, string group)
    {
        Needed.Programs(Needed.CoapServer);
        await using var network = await Namespaces.CreateAsync();
        await using var server = Namespaces.Start(network.A, Needed.CoapServer, "-v", "7", "-p", "5683", "-g", group, "-G", Namespaces.Interface);
        await server.LineAsync(line => line.Contains("created UDP", StringComparison.Ordinal));

        // The server reports its socket before it joins the group, and no line says when it has.
        List<CoapResponse> found = [];
        for (var times = 0; times < 4 && found.Count == 0; times++) { found = await Namespaces.RunInAsync(network.B, () => Ask(uri, count: 1)); }

        found.Should().ContainSingle("{0}", server).Which.Code.Should().Be(ResponseCode.Content);
    }

    private static List<CoapResponse> Ask(string uri, int count)
    {
        using var client = new CoapClient();
        return [.. client.Multicast(new CoapRequest(RequestCode.Get, uri) { IsConfirmable = false }, Request).Take(count)];
    }

    /// <summary>The networks with our servers, which all tests share that ask them.</summary>
    public sealed class Networks : IAsyncLifetime
    {
        private readonly List<IAsyncDisposable> _started = [];
        private Task<Namespaces>? _one, _two;

        public Task InitializeAsync() => Task.CompletedTask;

        public async Task DisposeAsync()
        {
            foreach (var one in Enumerable.Reverse(_started)) { await one.DisposeAsync(); }
        }

        /// <summary>A server of ours on the machine A.</summary>
        internal Task<Namespaces> WithOneServerAsync() => _one ??= CreateAsync(static network => [network.A]);

        /// <summary>A server of ours on each machine.</summary>
        internal Task<Namespaces> WithTwoServersAsync() => _two ??= CreateAsync(static network => [network.A, network.B]);

        private async Task<Namespaces> CreateAsync(Func<Namespaces, string[]> machines)
        {
            var network = await Namespaces.CreateAsync();
            _started.Add(network);
            foreach (var machine in machines(network))
            {
                var server = Namespaces.Start(machine, "dotnet", Repository.Sample("SampleServer"), "--host", "*", "--multicast");
                _started.Add(server);
                await server.LineAsync(static line => line == "ready");
            }
            return network;
        }
    }
}
