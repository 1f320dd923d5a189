using CoAP.Observing;
using CoAP.Testing;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Observing.Serving;

/// <summary>A store that hangs costs little memory, and misses nothing when it continues.</summary>
public sealed class ObserverJournalTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualTime());
    private readonly BlockedStore _store = new();
    private readonly LaneEnd _server;
    private readonly ObserverJournal _cut;

    public ObserverJournalTests()
    {
        _server = LaneEnd.Server(_wire, static _ => { });
        _cut = new ObserverJournal(_store, new EndpointLog(NullLogger.Instance, TimeProvider.System));
    }

    public void Dispose()
    {
        _store.Gate.Set();
        _server.Dispose();
    }

    [Fact]
    public async Task Observations_that_come_and_go_do_not_wait_for_a_store_that_hangs()
    {
        Save("first", token: 0, limit: 1);
        await _store.Entered.Task.WaitAsync(Patience);

        for (var i = 1; i <= 100_000; i++)
        {
            Save("client", (ushort)i, limit: 1);
            if (i > 3) { Remove("client", (ushort)(i - 3)); }
        }

        _cut.Count.Should().Be(3, "so many are left");
        await EndAsync();
        _store.Contents.Should().HaveCount(4);
    }

    [Fact]
    public async Task The_last_change_wins()
    {
        Save("a", 1, limit: 10);
        await _store.Entered.Task.WaitAsync(Patience);
        Save("a", 1, limit: 20, isNew: false);
        Save("b", 2, limit: 10);
        Remove("b", 2);
        Save("b", 2, limit: 30);
        Save("c", 3, limit: 10);
        Save("c", 3, limit: 40, isNew: false);
        await EndAsync();

        _store.Contents.Should().BeEquivalentTo(new Dictionary<string, long> { ["a 01"] = 20, ["b 02"] = 30, ["c 03"] = 40 });
        _store.Calls.Should().Be(4, "the store need not know what was out of date");
    }

    // Otherwise a client that has deregistered would be notified after a restart.
    [Fact, Trait("RFC", "7641 4.1")]
    public async Task What_the_store_may_have_is_removed_from_it()
    {
        Save("a", 1, limit: 10);
        await _store.Entered.Task.WaitAsync(Patience);
        Remove("a", 1);                                 // it is being written
        Save("restored", 2, limit: 20, isNew: false);
        Remove("restored", 2);
        Remove("earlier", 3);
        Save("earlier", 3, limit: 10);
        Remove("earlier", 3);
        await EndAsync();

        _store.Contents.Should().BeEmpty();
        _store.Removed.Should().BeEquivalentTo("a 01", "restored 02", "earlier 03");
    }

    private void Save(string peer, ushort token, long limit, bool isNew = true)
    {
        var key = new ChannelKey(PeerIdentity.From(peer), default);
        var message = new CoapMessage(MessageType.Confirmable, RequestCode.Get, new MessageId(1), new Token(Bytes(token)), [], default);
        _cut.Save(_server.Lane, new CoAP.Datagrams.DatagramRequest(_server.Lane, message, key), limit, isNew);
    }

    private void Remove(string peer, ushort token) => _cut.Remove(_server.Lane, new ChannelKey(PeerIdentity.From(peer), default), new Token(Bytes(token)));

    private static byte[] Bytes(ushort token) => token < 256 ? [(byte)token] : [(byte)(token >> 8), (byte)token];

    private async Task EndAsync()
    {
        _store.Gate.Set();
        await _cut.CompleteAsync().WaitAsync(Patience);
        _cut.Count.Should().Be(0);
    }

    private sealed class BlockedStore : IObserverStore
    {
        public ManualResetEventSlim Gate { get; } = new();

        public TaskCompletionSource Entered { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Dictionary<string, long> Contents { get; } = [];

        public List<string> Removed { get; } = [];

        public int Calls { get; private set; }

        public IReadOnlyList<StoredObserver> List() => [];

        public void Save(StoredObserver observation)
        {
            Await();
            Contents[$"{observation.Peer} {observation.Token}"] = observation.SequenceLimit;
        }

        public void Remove(PeerIdentity peer, PeerIdentity local, Token token)
        {
            Await();
            Contents.Remove($"{peer} {token}");
            Removed.Add($"{peer} {token}");
        }

        public void Flush()
        {
        }

        private void Await()
        {
            Calls++;
            Entered.TrySetResult();
            Gate.Wait(Patience);
        }
    }
}
