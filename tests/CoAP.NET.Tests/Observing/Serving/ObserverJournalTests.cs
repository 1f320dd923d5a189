using CoAP.Lanes;
using CoAP.Observing;
using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Observing;

/// <summary>Changes of observations that wait for a store: what a client does while the store hangs costs nothing and is not forgotten.</summary>
public sealed class ObserverJournalTests : IDisposable
{
    private const int Many = 100_000;

    private static readonly ChannelKey Client = new(PeerIdentity.From("client"), PeerIdentity.From("server"));
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly ManualClock _time = new();
    private readonly Wire _wire;
    private readonly LaneEnd _server;
    private readonly HangingStore _store;
    private readonly TestLog _log = new();
    private readonly ObserverJournal _cut;

    public ObserverJournalTests()
    {
        _wire = new Wire(_time);
        _store = new HangingStore { Time = _time };
        _server = LaneEnd.Server(_wire, static _ => { });
        _cut = new ObserverJournal(_store, new EndpointLog(_log, _time), _time);
    }

    public void Dispose()
    {
        _store.Open();
        _server.Dispose();
        _store.Dispose();
        _log.Dispose();
    }

    [Fact]
    public async Task While_the_store_hangs_registrations_that_end_leave_nothing_behind()
    {
        Hang();
        for (var i = 1; i <= 10; i++) { Save(i); }

        for (var i = 11; i < Many; i++)
        {
            Save(i);
            Remove(i);
        }

        _cut.Count.Should().Be(10);
        (await StoredAsync()).Should().BeEquivalentTo(Enumerable.Range(0, 11));
        _store.Calls.Should().Be(11);
    }

    [Fact]
    public async Task While_the_store_hangs_no_more_removals_wait_than_it_has_observations()
    {
        for (var i = 1; i <= 100; i++) { Save(i); }
        Hang();

        for (var i = 0; i < Many; i++)
        {
            Remove(1 + (i % 100));
            Save(1 + (i % 100));
        }
        for (var i = 1; i <= 100; i++) { Remove(i); }

        _cut.Count.Should().BeLessThanOrEqualTo(100);
        (await StoredAsync()).Should().Equal(0);
    }

    [Fact]
    public async Task A_removal_while_the_store_hangs_is_applied_afterwards()
    {
        Save(1);
        Hang();

        Remove(1);
        Remove(0);

        (await StoredAsync()).Should().BeEmpty();
    }

    [Theory]
    [InlineData(false), InlineData(true)]
    public async Task A_client_that_registers_again_ends_with_its_newest_registration(bool isStored)
    {
        if (isStored) { Save(1, limit: 1); }
        Hang();
        if (!isStored) { Save(1, limit: 1); }

        Remove(1);
        Save(1, limit: 2);
        Save(1, limit: 3, isKnown: true);

        await StoredAsync();
        _store.List().Single(static one => one.Token.Equals(TokenOf(1))).SequenceLimit.Should().Be(3);
    }

    [Fact]
    public async Task A_registration_that_replaces_a_stored_one_and_ends_removes_the_stored_one()
    {
        Save(1);
        Hang();

        Remove(1);
        Save(1);
        Save(1, isKnown: true);
        Remove(1);

        (await StoredAsync()).Should().Equal(0);
    }

    [Fact]
    public async Task A_store_that_hangs_does_not_keep_the_endpoint_from_its_end()
    {
        Hang();
        Save(1);

        var completed = _cut.CompleteAsync(_time);
        completed.IsCompleted.Should().BeFalse("the store may still return");
        _time.Advance(TimeSpan.FromSeconds(6));
        await completed.WaitAsync(Patience);

        _log.Exceptions.Should().ContainSingle().Which.Message.Should().Contain("1 changes");
        (await StoredAsync()).Should().Equal([0], "the store gets no calls after the end");
    }

    [Fact]
    public async Task Changes_that_the_store_refuses_are_counted_and_those_after_them_are_written()
    {
        _store.Refused = TokenOf(1);
        Hang();
        for (var i = 1; i <= 3; i++) { Save(i); }

        (await StoredAsync()).Should().BeEquivalentTo([0, 2, 3]);
        _wire.RunUntilIdle();

        _server.Lane.Metrics[LaneCounters.UnsavedObservations].Should().Be(1);
        _log.Lines(LogLevel.Error).Should().ContainSingle();
    }

    private static Token TokenOf(int number) => new(BitConverter.GetBytes(number));

    // Saves the observation 0, and the store does not return from that.
    private void Hang()
    {
        _store.HangsAt = TokenOf(0);
        Save(0);
        _store.Hanging.Wait(Patience).Should().BeTrue();
    }

    [Fact]
    public async Task A_store_that_writes_slowly_rests_and_the_end_writes_what_waits()
    {
        _store.FlushTime = TimeSpan.FromSeconds(1);
        Save(0);
        SpinWait.SpinUntil(() => _store.Flushes == 1, Patience).Should().BeTrue();

        for (var i = 1; i <= 5; i++)
        {
            Save(i);
            SpinWait.SpinUntil(() => _cut.Count == 0, millisecondsTimeout: 50);
        }
        _store.Flushes.Should().Be(1);

        (await StoredAsync()).Should().BeEquivalentTo(Enumerable.Range(0, 6));
        _store.Flushes.Should().Be(2);
    }

    [Fact]
    public void After_its_rest_the_store_writes_all_that_has_changed()
    {
        _store.FlushTime = TimeSpan.FromSeconds(1);
        Save(0);
        SpinWait.SpinUntil(() => _store.Flushes == 1, Patience).Should().BeTrue();
        for (var i = 1; i <= 5; i++) { Save(i); }

        SpinWait.SpinUntil(Flushed, Patience).Should().BeTrue();

        _store.List().Should().HaveCount(6);

        bool Flushed()
        {
            _time.Advance(TimeSpan.FromSeconds(20));
            return _store.Flushes == 2;
        }
    }

    private void Save(int number, long limit = 1, bool isKnown = false) =>
        _cut.Save(_server.Lane, Client, new CoapMessage { Code = RequestCode.Get, Token = TokenOf(number) }, limit, isKnown, format: null);

    private void Remove(int number) => _cut.Remove(_server.Lane, Client, TokenOf(number));

    private async Task<IEnumerable<int>> StoredAsync()
    {
        _store.Open();
        await _cut.CompleteAsync(TimeProvider.System);
        return _store.List().Select(static one => BitConverter.ToInt32(one.Token.ToArray()));
    }

    /// <summary>Keeps observations in memory. The save of one of them hangs until the test opens the store.</summary>
    private sealed class HangingStore : IObserverStore, IDisposable
    {
        private readonly InMemoryObserverStore _store = new();
        private readonly ManualResetEventSlim _isOpen = new();
        private int _flushes;

        public ManualResetEventSlim Hanging { get; } = new();

        public Token? HangsAt { get; set; }

        public Token? Refused { get; set; }

        public int Calls { get; private set; }

        public ManualClock? Time { get; init; }

        public TimeSpan FlushTime { get; set; }

        public int Flushes => Volatile.Read(ref _flushes);

        public void Open() => _isOpen.Set();

        public IReadOnlyList<StoredObserver> List() => _store.List();

        public void Save(StoredObserver observation)
        {
            Calls++;
            if (observation.Token.Equals(HangsAt))
            {
                Hanging.Set();
                _isOpen.Wait();
            }
            if (observation.Token.Equals(Refused)) { throw new InvalidOperationException("This one is refused."); }
            _store.Save(observation);
        }

        public void Remove(PeerIdentity peer, PeerIdentity local, Token token)
        {
            Calls++;
            _store.Remove(peer, local, token);
        }

        public void Flush()
        {
            Time?.Advance(FlushTime);
            Interlocked.Increment(ref _flushes);
        }
        public void Dispose()
        {
            Hanging.Dispose();
            _isOpen.Dispose();
        }
    }
}
