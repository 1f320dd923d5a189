using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Servers that another one with the same store replaces, with other settings or while they run.</summary>
public sealed class ReplacedServerTests
{
    // As in a rolling replacement: the new server has taken over before the earlier one stops.
    [Fact]
    public async Task The_end_of_one_server_leaves_the_keys_of_its_successor_alone()
    {
        var store = new InMemoryDtlsSessionStore();
        await using var first = new RestartedServer(store, hasCheck: true);
        using var relay = new UdpRelay(first.Address);
        var handshakes = RestartTests.Watch(relay, out _);
        await using var client = RestartTests.Client(hasCheck: true);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await client.GetAsync(origin + "/peer");
        await store.HasAsync(1);
        await first.Cut.StopAsync();
        var begun = handshakes.Count;
        var keys = store.Sessions.Single().Content.Keys.ToArray();

        await using var second = new RestartedServer(store, hasCheck: true);
        await using var third = new RestartedServer(store, hasCheck: true);
        await second.Cut.StopAsync();
        relay.MoveTo(third.Address);
        var after = await client.GetAsync(origin + "/peer");

        after.PayloadText.Should().Be(before.PayloadText);
        handshakes.Count.Should().Be(begun, "the client could decrypt the answer");
        store.Sessions.Single().Content.Keys.Should().Equal(keys).And.NotEqual(new byte[keys.Length]);
    }

    [SkippableFact]
    public async Task A_device_without_connection_IDs_that_begins_anew_is_found_on_any_lane()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems have one lane");
        var store = new InMemoryDtlsSessionStore();
        var first = new RestartedServer(store, hasCheck: true, lanes: 4, usesIds: false, address: LastingPorts.NextUdp());
        UdpRelay[] relays = [.. Enumerable.Range(0, 12).Select(_ => new UdpRelay(first.Address))];     // one of them arrives at another lane than before
        foreach (var relay in relays)
        {
            await using var client = RestartTests.Client(hasCheck: true, usesIds: false, store: new InMemoryDtlsSessionStore());     // does not end its session
            await client.GetAsync($"coaps://127.0.0.1:{relay.Port}/peer");
        }
        await store.HasAsync(relays.Length);
        await first.DisposeAsync();
        await using var second = new RestartedServer(store, hasCheck: true, lanes: 3, usesIds: false, address: first.Address);

        foreach (var relay in relays)
        {
            var hellos = new HashSet<string>();
            relay.Passes = (datagram, toServer) =>
            {
                if (!toServer && ServerRandomOf(datagram) is { } random) { lock (hellos) { hellos.Add(random); } }
                return true;
            };
            await using var client = RestartTests.Client(hasCheck: true, usesIds: false);
            for (var i = 0; i < 2; i++) { (await client.GetAsync($"coaps://127.0.0.1:{relay.Port}/who")).PayloadText.Should().Be("device-7"); }
            lock (hellos) { hellos.Should().ContainSingle("the session of the first handshake is found"); }
            relay.Dispose();
        }
    }

    [Fact]
    public async Task Sessions_whose_records_could_not_be_found_are_dropped_and_the_log_says_so()
    {
        var (store, log) = (new InMemoryDtlsSessionStore(), new CoAP.TestSupport.TestLog());
        await using var first = new RestartedServer(store, hasCheck: true);
        for (var i = 0; i < 3; i++)
        {
            await using var client = RestartTests.Client(hasCheck: true, store: new InMemoryDtlsSessionStore());
            await client.GetAsync($"coaps://{first.Address}/peer");
        }
        await store.HasAsync(3);
        await first.Cut.StopAsync();

        await using var second = new RestartedServer(store, hasCheck: true, idLength: 6, log: log);
        await using var other = RestartTests.Client(hasCheck: true, store: new InMemoryDtlsSessionStore());
        await other.GetAsync($"coaps://{second.Address}/who");
        while (store.Sessions.Count != 1 || store.Sessions.Single().Generation != 0) { await Task.Yield(); }

        log.Lines(Microsoft.Extensions.Logging.LogLevel.Warning).Should().ContainSingle(static line => line.StartsWith("3 DTLS sessions of an earlier run were dropped", StringComparison.Ordinal) && line.Contains("6 bytes", StringComparison.Ordinal));
    }

    private static string? ServerRandomOf(byte[] datagram)
    {
        const int MessageAt = 13, RandomAt = MessageAt + 12 + 2, Handshake = 22, ServerHello = 2;
        return datagram[0] == Handshake && datagram[MessageAt] == ServerHello ? Convert.ToHexString(datagram, RandomAt, 32) : null;
    }
}
