using System.Buffers.Binary;
using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Endpoints that continue the sessions of an earlier run.</summary>
public sealed class RestartTests
{
    internal static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    // A client whose retransmissions have no answer for 7 s begins a new session. A server on a machine under load has answered by then.
    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromSeconds(1) };

    [Theory, InlineData(true, true), InlineData(true, false), InlineData(false, true), InlineData(false, false)]
    public async Task A_server_goes_on_after_a_stop_and_after_a_crash(bool stops, bool hasCheck)
    {
        var store = new InMemoryDtlsSessionStore();
        await using var first = new RestartedServer(store, hasCheck);
        using var relay = new UdpRelay(first.Address);
        var handshakes = Watch(relay, out _);
        await using var client = Client(hasCheck);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await client.GetAsync(origin + "/peer");
        var begun = handshakes.Count;
        await store.HasAsync(1);

        if (stops) { await first.Cut.StopAsync(); }
        await using var second = new RestartedServer(store, hasCheck);
        relay.MoveTo(second.Address);
        var after = await client.GetAsync(origin + "/peer");

        after.PayloadText.Should().Be(before.PayloadText, "the identity is the one of the session");
        (await client.GetAsync(origin + "/who")).PayloadText.Should().Be("device-7");
        handshakes.Count.Should().Be(begun, "no handshake was needed");
        store.Sessions.Single().Generation.Should().Be(1);
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_server_challenges_its_peers_at_once_so_that_no_request_is_dropped(bool hasCheck)
    {
        var store = new InMemoryDtlsSessionStore();
        await using var first = new RestartedServer(store, hasCheck, address: LastingPorts.NextUdp());
        using var relay = new UdpRelay(first.Address);
        await using var client = Client(hasCheck, transmission: Fast with { AckTimeout = TimeSpan.FromMinutes(1), MaxRetransmit = 0 });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await client.GetAsync(origin + "/peer");
        await store.HasAsync(1);
        await first.Cut.StopAsync();
        var (challenges, answers, isAnswered) = (0, 0, new TaskCompletionSource());
        relay.Passes = (_, toServer) =>
        {
            // A challenge is one message of the routability check, or two pings.
            if (!toServer) { Interlocked.Increment(ref challenges); }
            else if (Interlocked.Increment(ref answers) == (hasCheck ? 1 : 2)) { isAnswered.SetResult(); }
            return true;
        };

        await using var second = new RestartedServer(store, hasCheck, address: first.Address, pathTimeout: TimeSpan.FromMinutes(1));
        await isAnswered.Task.WaitAsync(TimeSpan.FromMinutes(1));
        var after = await client.GetAsync(origin + "/peer");

        after.PayloadText.Should().Be(before.PayloadText);
        challenges.Should().BeGreaterThan(0);
    }

    // The earlier process is only suspended. It wakes up and believes that it owns the session, as the new process does.
    [Fact]
    public async Task No_nonce_is_used_twice_even_if_the_earlier_process_wakes_up()
    {
        var store = new InMemoryDtlsSessionStore();
        await using var first = new RestartedServer(store, hasCheck: true);
        using var relay = new UdpRelay(first.Address);
        Watch(relay, out var sent);
        // Without retransmissions, the client never believes that the session is lost.
        await using var client = Client(hasCheck: true, transmission: Fast with { AckTimeout = TimeSpan.FromMilliseconds(300), MaxRetransmit = 0 });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await EstablishAsync(client, origin);
        await AskAsync(client, origin);
        await store.HasAsync(1);
        await using var second = new RestartedServer(store, hasCheck: true);
        await using var third = new RestartedServer(store, hasCheck: true);

        foreach (var server in new[] { second, first, third, second, first, third })
        {
            relay.MoveTo(server.Address);
            await AskAsync(client, origin);
        }

        ulong[] numbers;
        lock (sent) { numbers = [.. sent]; }
        numbers.Should().OnlyHaveUniqueItems().And.Contain(static number => number >> 32 == 0x10001).And.Contain(static number => number >> 32 == 0x10002);
        numbers.Should().HaveCountGreaterThan(20);
    }

    private static async Task AskAsync(CoapClient client, string origin)
    {
        for (var i = 0; i < 5; i++)
        {
            try { await client.GetAsync(origin + "/peer"); }
            catch (CoapException)
            {
                // The client rightly drops what an earlier owner sends after a later one, and a busy machine can be too slow. What matters is
                // the wire.
            }
        }
    }

    // Without retransmissions, a busy machine can be too slow for a handshake. The next request begins another one.
    private static async Task EstablishAsync(CoapClient client, string origin)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                await client.GetAsync(origin + "/peer");
                return;
            }
            catch (CoapTimeoutException) when (attempts < 20)
            {
            }
        }
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task POSTs_recorded_before_a_crash_and_replayed_after_it_are_not_executed(bool hasCheck)
    {
        var store = new InMemoryDtlsSessionStore();
        await using var first = new RestartedServer(store, hasCheck);
        using var relay = new UdpRelay(first.Address);
        await using var client = Client(hasCheck);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await client.GetAsync(origin + "/peer");
        await store.HasAsync(1);
        var recorded = new List<byte[]>();
        relay.Passes = (datagram, toServer) =>
        {
            if (toServer) { lock (recorded) { recorded.Add(datagram); } }
            return true;
        };
        for (var i = 0; i < 10; i++) { await client.PostAsync(origin + "/count", "x"u8.ToArray()); }
        relay.Passes = static (_, _) => true;
        byte[][] replayed;
        lock (recorded) { replayed = [.. recorded]; }

        await using var second = new RestartedServer(store, hasCheck);
        relay.MoveTo(second.Address);
        // From the address of the client and from another one; before the client has sent anything, and after it.
        using var attacker = new System.Net.Sockets.UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        foreach (var record in replayed)
        {
            await attacker.SendAsync(record, second.Address);
            relay.Replay(record);
        }
        var answer = await client.PostAsync(origin + "/count", "x"u8.ToArray());
        foreach (var record in replayed)
        {
            await attacker.SendAsync(record, second.Address);
            relay.Replay(record);
        }
        await client.GetAsync(origin + "/peer");

        answer.IsSuccess.Should().BeTrue();
        (first.Posts, second.Posts).Should().Be((10, 1));
    }

    [Fact]
    public async Task A_client_goes_on_after_a_restart()
    {
        var store = new InMemoryDtlsSessionStore();
        await using var server = new RestartedServer(null, hasCheck: true);
        using var relay = new UdpRelay(server.Address);
        var handshakes = Watch(relay, out _);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        string before;
        await using (var first = Client(hasCheck: true, store)) { before = (await first.GetAsync(origin + "/peer")).PayloadText; }
        var begun = handshakes.Count;

        await using var second = Client(hasCheck: true, store);
        var after = await second.GetAsync(origin + "/peer");

        after.PayloadText.Should().Be(before);
        handshakes.Count.Should().Be(begun);
    }

    [Fact]
    public async Task Observers_of_a_session_are_notified_after_a_restart()
    {
        var folder = Directory.CreateTempSubdirectory("coap-").FullName;
        try
        {
            var (sessions, observers) = (new InMemoryDtlsSessionStore(), new FileObserverStore(Path.Combine(folder, "observers")));
            var first = new RestartedServer(sessions, hasCheck: true, observers);
            using var relay = new UdpRelay(first.Address);
            await using var client = Client(hasCheck: true);
            await using var notifications = client.ObserveAsync($"coaps://127.0.0.1:{relay.Port}/state").GetAsyncEnumerator();
            (await notifications.MoveNextAsync()).Should().BeTrue();
            await first.DisposeAsync();

            await using var second = new RestartedServer(sessions, hasCheck: true, new FileObserverStore(Path.Combine(folder, "observers")), "2");
            relay.Redirect(second.Address);

            (await notifications.MoveNextAsync()).Should().BeTrue();
            notifications.Current.Response.PayloadText.Should().Be("2, device-7");
        }
        finally { Directory.Delete(folder, recursive: true); }
    }

    [Fact]
    public async Task Sessions_without_connection_IDs_are_found_on_any_lane()
    {
        var store = new InMemoryDtlsSessionStore();
        var first = new RestartedServer(store, hasCheck: true, lanes: 4, usesIds: false, address: LastingPorts.NextUdp());
        await using var client = Client(hasCheck: true, usesIds: false);
        var origin = $"coaps://{first.Address}";
        var before = await client.GetAsync(origin + "/peer");
        await first.DisposeAsync();

        await using var second = new RestartedServer(store, hasCheck: true, lanes: 3, usesIds: false, address: first.Address);
        var after = await client.GetAsync(origin + "/peer");

        after.PayloadText.Should().Be(before.PayloadText);
    }

    [Fact]
    public async Task A_store_that_fails_later_costs_only_the_sessions()
    {
        await using var server = new RestartedServer(new BrokenStore { IsOpen = true }, hasCheck: true);
        await using var client = Client(hasCheck: true);

        (await client.GetAsync($"coaps://{server.Address}/who")).PayloadText.Should().Be("device-7");
    }

    [Fact]
    public async Task A_store_that_cannot_be_opened_ends_the_start_of_a_server_and_the_first_request_of_a_client()
    {
        var start = () => new RestartedServer(new BrokenStore(), hasCheck: true);
        await using var client = Client(hasCheck: true, new BrokenStore());
        var ask = async () => await client.GetAsync("coaps://127.0.0.1/who");

        start.Should().Throw<IOException>().WithMessage("no disk");
        await ask.Should().ThrowAsync<IOException>().WithMessage("no disk");
    }

    internal static CoapClient Client(bool hasCheck, IDtlsSessionStore? store = null, bool usesIds = true, TransmissionParameters? transmission = null) => new(new()
    {
        Dtls = new DtlsClientSettings { PreSharedKey = Key, UsesRoutabilityCheck = hasCheck, SessionStore = store, ConnectionIdLength = usesIds ? 0 : null },
        Transmission = transmission ?? Fast,
    });

    // Collects the plain records of handshakes, and the record numbers of the servers. A copy of a record to another address of the client is the same record.
    internal static List<byte[]> Watch(UdpRelay relay, out List<ulong> sent)
    {
        var (handshakes, numbers, records) = (new List<byte[]>(), new List<ulong>(), new HashSet<string>());
        relay.Passes = (datagram, toServer) =>
        {
            var number = BinaryPrimitives.ReadUInt64BigEndian(datagram.AsSpan(3));
            if (number >> 48 == 0) { lock (handshakes) { handshakes.Add(datagram); } }
            else if (!toServer)
            {
                lock (numbers)
                {
                    if (records.Add(Convert.ToHexString(datagram))) { numbers.Add(number); }
                }
            }
            return true;
        };
        sent = numbers;
        return handshakes;
    }

    private sealed class BrokenStore : IDtlsSessionStore
    {
        public bool IsOpen { get; init; }

        public IReadOnlyList<DtlsSessionState> TakeOver() => IsOpen ? [] : throw new IOException("no disk");

        public void Save(DtlsSessionState session) => throw new IOException("no disk");

        public void Remove(string id) => throw new IOException("no disk");

        public void Flush() => throw new IOException("no disk");
    }
}
