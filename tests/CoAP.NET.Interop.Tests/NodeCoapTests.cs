using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests;

/// <summary>Our client and a server of node-coap, which puts the blocks of a request together by their token, and knows no Q-Block.</summary>
[Trait("Category", "Interop")]
public sealed class NodeCoapTests(NodeCoapTests.SharedServer shared) : IClassFixture<NodeCoapTests.SharedServer>
{
    [SkippableTheory]
    [InlineData(0, RobustMode.Off), InlineData(1, RobustMode.Off), InlineData(1024, RobustMode.Off)]
    [InlineData(1025, RobustMode.Off), InlineData(40_000, RobustMode.Off), InlineData(200_000, RobustMode.Off)]
    [InlineData(0, RobustMode.WhenSupported), InlineData(1, RobustMode.WhenSupported), InlineData(1024, RobustMode.WhenSupported)]
    [InlineData(1025, RobustMode.WhenSupported), InlineData(40_000, RobustMode.WhenSupported), InlineData(200_000, RobustMode.WhenSupported)]
    [Trait("RFC", "7959 2.5"), Trait("RFC", "9177 4.1")]
    public async Task Puts_a_body_and_gets_it_back(int size, RobustMode mode)
    {
        var server = await shared.GetAsync();
        await using var client = new CoapClient(new() { ClientTransfers = new() { KeepsToken = true, RobustMode = mode } });
        var body = new byte[size];
        new Random(size).NextBytes(body);

        var uri = $"{server.Uri}/body-{mode}-{size}";
        var put = await client.SendAsync(new CoapRequest(RequestCode.Put, uri) { Payload = body });
        var got = await client.GetAsync(uri);

        put.Code.Should().Be(ResponseCode.Changed, "{0}", server);
        got.Payload.ToArray().Should().Equal(body);
    }

    [SkippableFact]
    [Trait("RFC", "7641 3.4")]
    public async Task Observes_a_counter()
    {
        var server = await shared.GetAsync();
        await using var client = new CoapClient();
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));

        List<int> seen = [];
        await foreach (var state in client.ObserveAsync($"{server.Uri}/count", patience.Token))
        {
            seen.Add(int.Parse(state.Response.PayloadText, null));
            if (seen.Count == 5) { break; }
        }

        seen.Should().BeInAscendingOrder().And.OnlyHaveUniqueItems();
    }

    /// <summary>One server for all tests, which put resources of their own.</summary>
    public sealed class SharedServer : IAsyncLifetime
    {
        private Task<NodeCoapServer>? _server;

        public Task InitializeAsync() => Task.CompletedTask;

        public async Task DisposeAsync()
        {
            if (_server is { IsCompletedSuccessfully: true }) { await (await _server).DisposeAsync(); }
        }

        internal Task<NodeCoapServer> GetAsync() => _server ??= NodeCoapServer.StartAsync();
    }
}
