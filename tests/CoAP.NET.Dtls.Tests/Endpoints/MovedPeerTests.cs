using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Clients behind a NAT that changes their port (RFC 9146, section 6).</summary>
public sealed class MovedPeerTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);

    // A move loses what is under way, and the client waits this long before it sends again. With a shorter wait, a slow machine would end the session.
    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(400) };

    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 5.1"), InlineData(true, true), InlineData(true, false), InlineData(false, true), InlineData(false, false)]
    public async Task With_a_connection_ID_the_session_goes_on(bool mustProve, bool hasCheck)
    {
        await using var cut = Pair(new() { UsesRoutabilityCheck = hasCheck }, mustProve);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await cut.Client.GetAsync(origin + "/peer");
        relay.Move();

        var after = await cut.Client.GetAsync(origin + "/peer");
        var body = Enumerable.Range(0, 100_000).Select(static at => (byte)(at * 7)).ToArray();
        var sent = 0;
        relay.Passes = (_, toServer) =>
        {
            if (toServer && ++sent % 25 == 0) { relay.Move(); }
            return true;
        };
        var echoed = await cut.Client.PostAsync(origin + "/echo", body);

        after.PayloadText.Should().Be(before.PayloadText, "the identity is the one of the session");
        sent.Should().BeGreaterThan(100, "the client has moved several times");
        echoed.Payload.ToArray().Should().Equal(body);
        (await cut.Client.GetAsync(origin + "/peer")).PayloadText.Should().Be(before.PayloadText);
    }

    // The system distributes datagrams over the lanes by their address, so most moves lead to another lane.
    [SkippableFact, Trait("RFC", "9146 6")]
    public async Task A_server_with_several_lanes_finds_the_session_from_any_of_them()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux shares a port among lanes");
        await using var cut = Pair(new(), mustProve: true, lanes: 4);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var peers = new HashSet<string>();

        for (var move = 0; move < 12; move++)
        {
            peers.Add((await cut.Client.GetAsync(origin + "/peer")).PayloadText);
            relay.Move();
        }

        peers.Should().ContainSingle();
    }

    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 5.1"), InlineData(true), InlineData(false)]
    public async Task With_a_connection_ID_an_observation_goes_on_after_any_message_of_the_client(bool hasCheck)
    {
        await using var cut = Pair(new() { UsesRoutabilityCheck = hasCheck }, mustProve: true);
        var state = 1;
        var resource = cut.Server.Resources.At("state").Get((_, _) => new(Response.Content($"{Volatile.Read(ref state)}"))).Observable();
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await using var notifications = cut.Client.ObserveAsync(origin + "/state").GetAsyncEnumerator();
        await notifications.MoveNextAsync();
        relay.Move();

        await cut.Client.GetAsync(origin + "/peer");
        Volatile.Write(ref state, 2);
        resource.NotifyChanged();

        (await notifications.MoveNextAsync()).Should().BeTrue();
        notifications.Current.Response.PayloadText.Should().Be("2");
    }

    [Fact]
    public async Task Without_connection_IDs_the_client_begins_a_new_session_by_itself()
    {
        await using var cut = Pair(new() { ConnectionIdLength = null }, mustProve: false);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await cut.Client.GetAsync(origin + "/peer");
        relay.Move();

        var after = await cut.Client.GetAsync(origin + "/peer");

        after.IsSuccess.Should().BeTrue();
        after.PayloadText.Should().NotBe(before.PayloadText);
    }

    [Fact, Trait("RFC", "9146 6"), Trait("RFC", "6347 4.1.2.6")]
    public async Task Replaying_records_from_another_address_yields_no_answer_and_moves_nothing()
    {
        await using var cut = Pair(new(), mustProve: true);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var records = new List<byte[]>();
        relay.Passes = (datagram, toServer) =>
        {
            if (toServer) { lock (records) { records.Add(datagram); } }
            return true;
        };
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await cut.Client.GetAsync(origin + "/peer");
        using var attacker = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        byte[][] replayed;
        lock (records) { replayed = [.. records.Where(static record => record[0] == 25)]; }

        foreach (var record in replayed)
        {
            for (var times = 0; times < 3; times++) { await attacker.SendAsync(record, cut.Server.Endpoints[0].Address); }
        }
        var after = await cut.Client.GetAsync(origin + "/peer");

        replayed.Should().NotBeEmpty();
        after.PayloadText.Should().Be(before.PayloadText);
        attacker.Available.Should().Be(0);
    }

    [Theory, Trait("RFC", "9853 5.1"), InlineData(true), InlineData(false)]
    public async Task A_move_is_reported_when_the_peer_has_proven_its_address(bool hasCheck)
    {
        var moves = new System.Collections.Concurrent.ConcurrentQueue<PeerMove>();
        await using var cut = Pair(new() { UsesRoutabilityCheck = hasCheck }, mustProve: true, server: settings => settings with { OnPeerMoved = moves.Enqueue });
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await cut.Client.GetAsync(origin + "/large");
        relay.Move();

        await cut.Client.GetAsync(origin + "/large");
        await cut.Client.GetAsync(origin + "/peer");

        var move = moves.Should().ContainSingle().Subject;
        move.Credentials!.PreSharedKeyIdentity.Should().Be("device-7");
        move.To.Should().NotBe(move.From);
        move.Peer.ToString().Should().StartWith(move.From.ToString());
    }

    // The newest record of the client is held back, and comes from the attacker instead. The attacker gets little, and the client keeps its session.
    [Theory, Trait("RFC", "9146 6"), Trait("RFC", "9853 5"), InlineData(true), InlineData(false)]
    public async Task Forwarding_the_newest_record_yields_at_most_three_times_its_bytes(bool hasCheck)
    {
        await using var cut = Pair(new() { UsesRoutabilityCheck = hasCheck }, mustProve: true);
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        using var attacker = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        var before = await cut.Client.GetAsync(origin + "/peer");
        var stolen = 0;
        relay.Passes = (datagram, toServer) =>
        {
            if (!toServer || datagram[0] != 25 || Volatile.Read(ref stolen) > 0) { return true; }
            Volatile.Write(ref stolen, datagram.Length);
            attacker.Send(datagram, cut.Server.Endpoints[0].Address);
            return false;
        };

        var after = await cut.Client.GetAsync(origin + "/large");

        after.Payload.Length.Should().Be(10_000);
        (await cut.Client.GetAsync(origin + "/peer")).PayloadText.Should().Be(before.PayloadText);
        var got = 0;
        while (attacker.Available > 0)
        {
            IPEndPoint? from = null;
            got += attacker.Receive(ref from).Length;
        }
        got.Should().BeLessThanOrEqualTo(3 * stolen);
    }

    private static SecuredPair Pair(DtlsClientSettings client, bool mustProve, int lanes = 1, Func<DtlsServerSettings, DtlsServerSettings>? server = null)
    {
        var settings = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key) };
        var pair = new SecuredPair(
            server?.Invoke(settings) ?? settings, client with { PreSharedKey = Key }, isInMemory: false,
            endpoint => endpoint with { Lanes = lanes, Amplification = new() { ExemptsLoopback = !mustProve } }, Fast);
        pair.Server.Resources.At("peer").Get((request, _) => new(Response.Content(request.Peer.ToString())));
        pair.Server.Resources.At("large").Get((_, _) => new(Response.Content(new byte[10_000], 42)));
        return pair;
    }
}
