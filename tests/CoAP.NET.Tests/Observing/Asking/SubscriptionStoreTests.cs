using CoAP.Observing;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Tests.Observing;

public sealed class SubscriptionStoreTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-store-").FullName;

    private string FilePath => Path.Combine(_folder, "subscriptions");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Saved_subscriptions_survive_a_restart()
    {
        var saved = Fetch(1) with { IsConfirmable = false };
        new FileSubscriptionStore(FilePath).Save(saved);

        var found = new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Subject;

        (found.Uri, found.Method, found.Token, found.Options, found.IsConfirmable).Should()
            .Be((saved.Uri, saved.Method, saved.Token, saved.Options, false));
        found.Payload.ToArray().Should().Equal(saved.Payload.ToArray());
    }

    [Fact]
    public void Removed_subscriptions_stay_removed_after_a_restart()
    {
        var store = new FileSubscriptionStore(FilePath);
        store.Save(Fetch(1));
        store.Save(Fetch(2));

        store.Remove(Fetch(1).Token);

        new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Which.Token.Should().Be(Fetch(2).Token);
    }

    [Theory]
    [InlineData(""), InlineData("rubbish"), InlineData("zz coap://host/"), InlineData("4 coap://host/"), InlineData("40010000 nowhere"), InlineData("40450000 coap://host/")]
    [InlineData("40010000ff31 coap://host/"), InlineData("40030000 coap://host/"), InlineData("4001000061 coap://host/"), InlineData("4001000060 coap://host/")]
    public void A_damaged_line_costs_one_subscription_and_no_other(string line)
    {
        new FileSubscriptionStore(FilePath).Save(Fetch(1));
        File.WriteAllLines(FilePath, [line, .. File.ReadAllLines(FilePath)]);

        new FileSubscriptionStore(FilePath).List().Should().ContainSingle().Which.Token.Should().Be(Fetch(1).Token);
    }

    [Fact]
    public void An_unfinished_file_of_a_run_that_was_killed_does_not_count()
    {
        new FileSubscriptionStore(FilePath).Save(Fetch(1));
        File.WriteAllText(FilePath + ".new", "4801");

        var store = new FileSubscriptionStore(FilePath);
        store.Save(Fetch(2));

        store.List().Should().HaveCount(2);
        Directory.GetFiles(_folder).Should().ContainSingle();
    }

    // A peer that confirms observations and ends them quickly decides how often the store changes.
    [Fact]
    public void Changes_that_follow_each_other_quickly_are_written_together()
    {
        var (time, writes) = (new ManualClock(), 0);
        var cut = new FileSubscriptionStore(FilePath, capacity: 1000, time);
        FolderSync.Traced = step =>
        {
            if (!step.StartsWith("move", StringComparison.Ordinal)) { return; }
            Interlocked.Increment(ref writes);
            time.Advance(TimeSpan.FromMilliseconds(100));
        };

        for (byte change = 0; change < 250; change++)
        {
            cut.Save(Fetch(change));
            if (change < 249) { cut.Remove(Fetch(change).Token); }
        }
        var before = Volatile.Read(ref writes);
        before.Should().BeInRange(2, 10, "each writing of 100 ms costs 2 s of rest, and 10 s of it may be owed");
        SpinWait.SpinUntil(() => Advanced() && Volatile.Read(ref writes) > before, Patience).Should().BeTrue("what waits is written later");
        cut.Flush();
        Stored().Should().Be(249);
        cut.Save(Fetch(250));
        cut.Remove(Fetch(249).Token);
        cut.Flush();

        FolderSync.Traced = null;
        Stored().Should().Be(250);

        bool Advanced()
        {
            time.Advance(TimeSpan.FromSeconds(1));
            return true;
        }

        int? Stored() => new FileSubscriptionStore(FilePath).List() is [var one] ? one.Token.ToArray()[0] : null;
    }

    [Fact]
    public void A_change_that_could_not_be_written_later_is_written_with_the_next_one()
    {
        var (time, calls) = (new ManualClock(), 0);
        var cut = new RestingWriter(Write, new JournalRest(time, Factor: 20, Longest: TimeSpan.FromSeconds(30)));
        cut.OnChanged();
        cut.OnChanged();
        Volatile.Read(ref calls).Should().Be(1, "the second one waits");

        SpinWait.SpinUntil(() => Advanced() && Volatile.Read(ref calls) == 2, Patience).Should().BeTrue();
        SpinWait.SpinUntil(() => Record.Exception(cut.OnChanged) is IOException, Patience).Should().BeTrue("the caller gets the error");

        void Write()
        {
            time.Advance(TimeSpan.FromSeconds(5));
            if (Interlocked.Increment(ref calls) > 1) { throw new IOException("the disk is full"); }
        }

        bool Advanced()
        {
            time.Advance(TimeSpan.FromSeconds(1));
            return true;
        }
    }

    [Fact]
    public async Task A_client_that_ends_writes_what_waits()
    {
        var store = new FlushedStore();
        await using (new CoapClient(new() { Network = new InMemoryNetwork(), ClientObservations = new() { Store = store } }))
        {
        }

        store.Flushes.Should().BePositive();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void A_full_store_says_so_and_keeps_what_it_has(bool isFile)
    {
        ISubscriptionStore store = isFile ? new FileSubscriptionStore(FilePath, capacity: 2) : new InMemorySubscriptionStore(capacity: 2);
        store.Save(Fetch(1));
        store.Save(Fetch(2));
        store.Save(Fetch(2) with { Uri = "coap://other/" });

        var saving = () => store.Save(Fetch(3));

        saving.Should().Throw<InvalidOperationException>().WithMessage("*2 subscriptions*");
        store.List().Select(one => one.Uri).Should().BeEquivalentTo("coap://host/path?query", "coap://other/");
    }

    private static StoredSubscription Fetch(byte token) => new("coap://host/path?query", RequestCode.Fetch, new Token([token, 2, 3, 4, 5, 6, 7, 8]))
    {
        Options = [new Accept(60), new ContentFormat(0)],
        Payload = new byte[] { 0xFF, 0, 10, 13 },
    };

    private sealed class FlushedStore : ISubscriptionStore
    {
        public int Flushes { get; private set; }

        public IReadOnlyList<StoredSubscription> List() => [];

        public void Save(StoredSubscription subscription)
        {
        }

        public void Remove(Token token)
        {
        }

        public void Flush() => Flushes++;
    }
}
