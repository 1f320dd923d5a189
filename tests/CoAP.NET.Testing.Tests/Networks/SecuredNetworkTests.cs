namespace CoAP.Testing.Tests.Networks;

/// <summary>DTLS in simulated time.</summary>
public class SecuredNetworkTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    [Fact]
    public async Task A_handshake_with_a_key_takes_no_real_time_and_stays_on_the_calling_thread()
    {
        var (world, server, client) = Place(seed: 1);
        var thread = Environment.CurrentManagedThreadId;
        world.Latency = TimeSpan.FromSeconds(1);

        var who = world.Run(async () =>
        {
            var response = await client.GetAsync("coaps://device/who");
            Environment.CurrentManagedThreadId.Should().Be(thread);
            return response.PayloadText;
        });

        who.Should().Be("device-7");
        world.Clock.Elapsed.Should().BeGreaterThanOrEqualTo(TimeSpan.FromSeconds(8), "a handshake with a cookie takes three round trips, and the request one");
        await EndAsync(server, client);
    }

    [Fact]
    public async Task Handshakes_over_a_network_with_losses_succeed()
    {
        List<int> unanswered = [];
        for (var seed = 0; seed < 30; seed++)
        {
            var (world, server, client) = Place(seed);
            world.Conditions = new() { Latency = TimeSpan.FromMilliseconds(50), Jitter = TimeSpan.FromMilliseconds(20), Loss = 0.15, Duplication = 0.1 };

            try { world.Run(client.GetAsync("coaps://device/who")).PayloadText.Should().Be("device-7", $"seed {seed}"); }
            catch (CoapTimeoutException) { unanswered.Add(seed); }

            await EndAsync(server, client);
        }
        unanswered.Should().HaveCountLessThanOrEqualTo(1, "a run in which all five transmissions or their answers are lost is rare");
    }

    // The bytes differ, because OpenSSL has random numbers of its own. Times, hosts, lengths and losses do not.
    [Fact]
    public async Task The_same_seed_gives_the_same_datagrams_at_the_same_times()
    {
        foreach (var seed in new[] { 3, 14, 15 }) { (await TraceAsync(seed)).Should().Equal(await TraceAsync(seed), $"seed {seed}"); }
    }

    [Fact]
    public async Task A_key_store_that_awaits_continues_on_the_network()
    {
        var thread = 0;
        var (world, server, client) = Place(seed: 1, PskStore.From(async (_, cancellationToken) =>
        {
            await Task.Yield();
            thread = Environment.CurrentManagedThreadId;
            return "a key of 16 bytes"u8.ToArray();
        }));

        world.Run(client.GetAsync("coaps://device/who")).PayloadText.Should().Be("device-7");

        thread.Should().Be(Environment.CurrentManagedThreadId);
        await EndAsync(server, client);
    }

    private static async Task<List<(TimeSpan, string, int, int)>> TraceAsync(int seed)
    {
        var (world, server, client) = Place(seed);
        world.Conditions = new() { Latency = TimeSpan.FromMilliseconds(50), Jitter = TimeSpan.FromMilliseconds(20), Loss = 0.2 };
        world.Run(client.GetAsync("coaps://device/who"));
        await EndAsync(server, client);
        return [.. world.Transcript.Select(entry => (entry.Time, entry.From, entry.Bytes.Length, entry.Copies))];
    }

    private static (SimulatedNetwork World, CoapServer Server, CoapClient Client) Place(int seed, IPskStore? keys = null)
    {
        var world = new SimulatedNetwork(seed);
        var server = new CoapServer(world.Place(new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = keys ?? PskStore.From(Key) } }, "device"));
        server.Resources.At("who").Get((request, _) => new(Response.Content(request.Credentials!.PreSharedKeyIdentity!)));
        server.Start();
        return (world, server, new CoapClient(world.Place(new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key } })));
    }

    private static async Task EndAsync(CoapServer server, CoapClient client)
    {
        await client.DisposeAsync();
        await server.DisposeAsync();
    }
}
