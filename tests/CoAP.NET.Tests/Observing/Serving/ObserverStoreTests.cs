using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Observing;

/// <summary>Observations that outlive the server.</summary>
public sealed class ObserverStoreTests : IDisposable
{
    private const int NumbersPerSave = 65_536;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly string _path = Path.Combine(Path.GetTempPath(), $"observers-{Guid.NewGuid():N}.txt");

    public void Dispose()
    {
        File.Delete(_path);
        File.Delete(_path + ".new");
    }

    // Client              Server
    //    | GET, Observe 0     |
    //    +------------------->|
    //    | CON 2.05, ACK      |  the address is the client's own: kept
    //    |<------------------>|
    //    |                 restart
    //    | CON 2.05           |  the same token, a higher number
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.4"), Trait("RFC", "7641 4.5")]
    public async Task After_a_restart_observers_are_told_the_current_state_as_confirmable_with_a_higher_number()
    {
        var (wire, store) = (new Wire(new ManualClock()), new WatchedStore());
        using var client = ScriptedPeer.Client(wire);
        using (var first = Serve(wire, store, "a", out var resource))
        {
            client.Send("CON [0x0001] GET /r (Token 0xabcd) {Observe: 0}");
            client.Expect("ACK [0x0001] 2.05 Content (Token 0xabcd) {Observe: 1, Content-Format: 0} 'a'");
            store.List().Should().BeEmpty("the address may be forged");
            first.Lane.Addresses!.Verify(client.Self);
            resource.NotifyChanged();
            client.Expect("CON [X] 2.05 Content (Token 0xabcd) {Observe: 2, Content-Format: 0} 'a'");
            client.Send("ACK [X]");
            client.ExpectNothing(seconds: 1);
            store.AwaitCount(1);
        }

        using var second = Serve(wire, store, "b", out _);
        foreach (var saved in store.List().Concat(store.List())) { second.Mesh.Observers.Restore(saved, credentials: null); }

        client.TakeAll(seconds: 0);
        client.Received.Should().ContainSingle("an observation that a store lists twice is one observation");
        var told = WireMessage.Read(client.Received[^1]);
        (told.Type, told.Code, Hex.Text(told.Token), Hex.Text(told.Payload)).Should().Be((0, 0x45, "abcd", "62"));
        NumberOf(told).Should().BeGreaterThan(2).And.BeLessThan(2 + (1 << 23));
        await second.Mesh.Observing.Journal!.CompleteAsync(TimeProvider.System);
        store.List().Should().ContainSingle("the observation goes on");
    }

    // The store may rest when the limit is reached, and a crash would then resume below a number that was sent.
    [Theory, Trait("RFC", "7641 4.4")]
    [InlineData(NumbersPerSave / 2, true), InlineData((NumbersPerSave / 2) + 1, false)]
    public async Task The_next_limit_is_stored_when_half_of_the_numbers_are_used(int left, bool isSaved)
    {
        var (wire, store) = (new Wire(new ManualClock()), new WatchedStore());
        using var client = ScriptedPeer.Client(wire);
        using var server = Serve(wire, store, "a", out _);
        server.Lane.Addresses!.Verify(client.Self);
        client.Send("CON [0x0001] GET /r (Token 0xabcd) {Observe: 0}");
        client.Expect("ACK [0x0001] 2.05 Content (Token 0xabcd) {Observe: 1, Content-Format: 0} 'a'");
        store.AwaitCount(1);
        var limit = store.List().Single().SequenceLimit;

        // All observers of a representation have the same numbers.
        var request = Hex.Bytes("41 01 0001 09 60 51 72");
        var other = Make(PeerIdentity.From("other"), [9], limit - left) with { Local = server.Self, Request = request };
        server.Mesh.Observers.Restore(other, credentials: null);
        client.TakeAll(seconds: 0);
        await server.Mesh.Observing.Journal!.CompleteAsync(TimeProvider.System).WaitAsync(Patience);

        var sent = limit - left + 1;
        NumberOf(WireMessage.Read(client.Received[^1])).Should().Be((int)(sent & 0xFF_FFFF));
        store.List().Single(static one => one.Token.Length == 2).SequenceLimit.Should().Be(isSaved ? sent + NumbersPerSave : limit);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public async Task A_server_that_starts_again_takes_up_what_its_store_has()
    {
        var (network, store, time) = (new InMemoryNetwork(), new InMemoryObserverStore(), new ManualClock());
        var used = CoAP.Observing.NotificationOrder.StartAt(time.GetUtcNow()) + 41;
        store.Save(Make(PeerIdentity.From("device"), [0xab], used) with { Local = PeerIdentity.From("server"), Request = Hex.Bytes("41 01 0001 ab 60 51 72") });
        using var device = network.OpenDatagrams(PeerIdentity.From("device"));
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")], ServerObservations = new() { Store = store }, TimeProvider = time });
        server.Resources.At("r").Observable().Get((_, _) => new(new CoapResponse(ResponseCode.Content)));

        server.Start();
        var received = new Received();
        while (device.Receive(received) == 0) { await device.WaitAsync().AsTask().WaitAsync(Patience); }

        Hex.Text([received.Bytes[0], received.Bytes[1], .. received.Bytes[4..]]).Should().Be("4145ab612a", "CON, 2.05, the token, Observe above 41");
    }

    // Client              Server
    //    | GET, Observe 0     |
    //    +------------------->|
    //    | 2.05, text         |
    //    |<-------------------+
    //    |                 restart: the resource is now JSON
    //    | CON 4.06           |  the notification must have the format of the first response
    //    |<-------------------+
    [Theory, Trait("RFC", "7641 4.2")]
    [InlineData(false), InlineData(true)]
    public async Task After_a_restart_a_representation_in_another_format_ends_the_observation(bool isMoved)
    {
        var (wire, store) = (new Wire(new ManualClock()), new FileObserverStore(_path));
        using var client = ScriptedPeer.Client(wire);
        StoredObserver saved;
        using (var first = Serve(wire, store, "a", out _))
        {
            first.Lane.Addresses!.Verify(client.Self);
            client.Send("CON [0x0001] GET /r (Token 0xabcd) {Observe: 0}");
            client.Expect("ACK [0x0001] 2.05 Content (Token 0xabcd) {Observe: 1, Content-Format: 0} 'a'");
            await first.Mesh.Observing.Journal!.CompleteAsync(TimeProvider.System).WaitAsync(Patience);
            saved = isMoved ? first.Mesh.Observers.Take(new(client.Self, first.Self), most: 1).Single() : new FileObserverStore(_path).List().Single();
        }

        using var second = Serve(wire, new InMemoryObserverStore(), "{}", out _, ContentFormats.Json);
        second.Mesh.Observers.Restore(saved, credentials: null, isStored: !isMoved);

        client.Expect("CON [X] 4.06 Not Acceptable (Token 0xabcd)");
        saved.ContentFormat.Should().Be((int)ContentFormats.TextPlain);
    }

    [Theory]
    [InlineData("?????", null), InlineData("-----", -1), InlineData("00000", 0), InlineData("00050", 50), InlineData("65535", 65535), InlineData(null, null)]
    public void A_file_has_the_format_and_one_of_an_earlier_version_is_read_without_it(string? field, int? format)
    {
        var line = "192.0.2.1:5683 - [01] 0000000000000000007 4101" + (field is null ? "" : $" {field}");
        File.WriteAllText(_path, line + "\n");
        var store = new FileObserverStore(_path);

        var read = store.List().Single();
        store.Save(read with { SequenceLimit = 8 });
        store.Flush();

        read.ContentFormat.Should().Be(format);
        new FileObserverStore(_path).List().Single().Should().Match<StoredObserver>(one => one.ContentFormat == format && one.SequenceLimit == 8);
    }

    [Fact]
    public void An_observation_that_has_ended_is_not_kept()
    {
        var (wire, store) = (new Wire(new ManualClock()), new WatchedStore());
        using var client = ScriptedPeer.Client(wire);
        using var server = Serve(wire, store, "a", out var resource);
        client.Send("CON [0x0001] GET /r (Token 0xabcd) {Observe: 0}");
        client.Expect("ACK [0x0001] 2.05 Content (Token 0xabcd) {Observe: 1, Content-Format: 0} 'a'");
        server.Lane.Addresses!.Verify(client.Self);
        resource.NotifyChanged();
        client.Expect("CON [X] 2.05 Content (Token 0xabcd) {Observe: 2, Content-Format: 0} 'a'");
        client.Send("ACK [X]");
        client.ExpectNothing(seconds: 0);
        store.AwaitCount(1);

        client.Send("CON [0x0002] GET /r (Token 0xabcd) {Observe: 1}");
        client.Expect("ACK [0x0002] 2.05 Content (Token 0xabcd) {Content-Format: 0} 'a'");

        store.AwaitCount(0);
    }

    [Theory]
    [InlineData("192.0.2.1:5683"), InlineData("[2001:db8::1]:40000")]
    public void A_file_gives_back_what_was_saved_and_not_what_was_removed(string address)
    {
        var peer = PeerIdentity.From(System.Net.IPEndPoint.Parse(address));
        var store = new FileObserverStore(_path);
        foreach (var token in new byte[] { 1, 2, 3 }) { store.Save(Make(peer, [token], number: token)); }
        store.Save(Make(PeerIdentity.From("a name"), [], number: 7));
        store.Save(Make(peer, [1], number: 100));
        store.Remove(peer, default, new Token([2]));
        store.Flush();

        var read = new FileObserverStore(_path).List();

        read.Select(one => (one.Peer, $"{one.Token}", one.SequenceLimit, Hex.Text(one.Request.Span))).Should().BeEquivalentTo(
            [(peer, "01", 100L, "4101"), (peer, "03", 3L, "4101"), (PeerIdentity.From("a name"), "", 7L, "4101")]);
    }

    [Fact]
    public void Lines_that_cannot_be_read_are_passed_over()
    {
        var store = new FileObserverStore(_path);
        store.Save(Make(PeerIdentity.From("x"), [1], number: 1));
        store.Flush();
        File.AppendAllText(_path, "\ngarbage\n1.2.3.4:5 - [zz] 1 00\n1.2.3.4:99999 - [] 1 00\n1.2.3.4:5 - [] -1 00\n- - - - - -\n192.0.2.1:5683 - [01] 1 4101 abcde\n192.0.2.1:5683 - [01] 1 4101 65536\n1.2.3.4:5 - [] 99999999999999999999 00\n");

        new FileObserverStore(_path).List().Should().ContainSingle();
    }

    [Fact]
    public void A_crash_while_the_file_is_written_leaves_the_old_one()
    {
        var store = new FileObserverStore(_path);
        store.Save(Make(PeerIdentity.From("x"), [1], number: 1));
        store.Flush();
        File.WriteAllText(_path + ".new", "half a li");

        new FileObserverStore(_path).List().Should().ContainSingle();
    }

    [Fact]
    public void A_full_store_keeps_what_it_has_and_still_renews_it()
    {
        var store = new InMemoryObserverStore(capacity: 2);
        foreach (var token in new byte[] { 1, 2 }) { store.Save(Make(PeerIdentity.From("x"), [token], number: 1)); }
        var saving = () => store.Save(Make(PeerIdentity.From("x"), [3], number: 1));
        saving.Should().Throw<InvalidOperationException>().WithMessage("*2 observations*");
        store.Save(Make(PeerIdentity.From("x"), [2], number: 9));

        store.List().Select(one => one.SequenceLimit).Should().Equal(1, 9);
    }

    private static StoredObserver Make(PeerIdentity peer, byte[] token, long number) =>
        new() { Peer = peer, Local = default, Token = new Token(token), Request = new byte[] { 0x41, 0x01 }, SequenceLimit = number };

    private static LaneEnd Serve(Wire wire, IObserverStore store, string state, out Resource resource, uint format = ContentFormats.TextPlain)
    {
        Resource? mapped = null;
        var settings = new CoapServerSettings { ServerObservations = new() { Store = store }, Amplification = new() { ExemptsLoopback = false } };
        var server = LaneEnd.Server(wire, map => mapped = map.At("r").Observable().Get(_ => new CoapResponse(ResponseCode.Content) { Options = [new Options.ContentFormat(format)], Payload = System.Text.Encoding.UTF8.GetBytes(state) }, HandlerMode.Inline), settings);
        resource = mapped!;
        return server;
    }

    private static int NumberOf(WireMessage message) => message.Options.Single(option => option.Number == 6).Value.Aggregate(0, (sum, octet) => (sum << 8) | octet);

    /// <summary>Keeps observations in memory, for a test that waits until there is a certain number of them.</summary>
    private sealed class WatchedStore : IObserverStore
    {
        private readonly InMemoryObserverStore _store = new();
        private readonly object _gate = new();

        public IReadOnlyList<StoredObserver> List() => _store.List();

        public void Save(StoredObserver observation)
        {
            _store.Save(observation);
            Pulse();
        }

        public void Remove(PeerIdentity peer, PeerIdentity local, Token token)
        {
            _store.Remove(peer, local, token);
            Pulse();
        }

        public void Flush()
        {
        }

        public void AwaitCount(int count)
        {
            lock (_gate)
            {
                while (_store.List().Count != count) { Monitor.Wait(_gate, Patience).Should().BeTrue(); }
            }
        }

        private void Pulse()
        {
            lock (_gate) { Monitor.PulseAll(_gate); }
        }
    }

    private sealed class Received : IDatagramReceiver
    {
        public byte[] Bytes { get; private set; } = [];

        public void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => Bytes = datagram.ToArray();

        public void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
        {
        }
    }
}
