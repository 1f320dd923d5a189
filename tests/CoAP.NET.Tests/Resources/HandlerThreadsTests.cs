using System.Collections.Concurrent;
using CoAP.Accounting;
using CoAP.Resources;

namespace CoAP.Tests.Resources;

/// <summary>Threads that handlers may block: no more than set, no queue without an end, and everything that was taken is done.</summary>
public sealed class HandlerThreadsTests
{
    private static readonly Account Alice = Account.Of("Alice");
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public void As_many_run_at_the_same_time_as_there_may_be_threads_and_no_more()
    {
        var entered = new CountdownEvent(3);
        var gate = new ManualResetEventSlim();
        var done = new CountdownEvent(10);
        var (running, most) = (0, 0);
        var threads = new HandlerThreads<int>(
            _ =>
            {
                var now = Interlocked.Increment(ref running);
                lock (done) { most = Math.Max(most, now); }
                if (!entered.IsSet) { entered.Signal(); }
                gate.Wait(Patience);
                Interlocked.Decrement(ref running);
                done.Signal();
            },
            new LedgerBook(20, 0), new LedgerBook(5, 0), new LedgerBook(1 << 20, 0));

        for (var i = 0; i < 10; i++) { threads.TryQueue(i, Alice).Should().Be(Charge.Accepted); }
        entered.Wait(Patience).Should().BeTrue("three wait for each other, so three have to run");
        gate.Set();

        done.Wait(Patience).Should().BeTrue();
        most.Should().Be(3);
    }

    [Fact]
    public void Running_handlers_count_towards_the_capacity_until_they_return()
    {
        var gate = new SemaphoreSlim(0);
        using var second = new ManualResetEventSlim();
        var threads = new HandlerThreads<int>(
            item =>
            {
                if (item == 2) { second.Set(); }
                gate.Wait(Patience);
            },
            new LedgerBook(4, 0), new LedgerBook(1, 0), new LedgerBook(1 << 20, 0));
        threads.TryQueue(1, Alice).Should().Be(Charge.Accepted);
        threads.TryQueue(2, Alice).Should().Be(Charge.Accepted);
        threads.TryQueue(3, Alice).Should().NotBe(Charge.Accepted);

        gate.Release();
        second.Wait(Patience).Should().BeTrue("the only thread goes on when it is done with the first one");

        threads.TryQueue(4, Alice).Should().Be(Charge.Accepted);
        threads.TryQueue(5, Alice).Should().NotBe(Charge.Accepted);
        gate.Release(2);
    }

    // The /48 of these networks holds its share of threads, so each of them has to wait.
    [Fact]
    public void Thousands_of_accounts_that_must_wait_do_not_keep_another_one_waiting()
    {
        var gate = new ManualResetEventSlim();
        using var honest = new ManualResetEventSlim();
        var threads = new HandlerThreads<string>(
            item =>
            {
                if (item == "honest") { honest.Set(); }
                else { gate.Wait(Patience); }
            },
            new LedgerBook(100_000, 0), new LedgerBook(8, 0), new LedgerBook(1 << 20, 0));
        for (var i = 0; i < 4000; i++)
        {
            var network = Account.Of(PeerIdentity.From(System.Net.IPEndPoint.Parse($"[2001:db8:0:{i:x}::1]:5683")));
            threads.TryQueue("site", network).Should().Be(Charge.Accepted);
        }

        threads.TryQueue("honest", Alice).Should().Be(Charge.Accepted);

        honest.Wait(Patience).Should().BeTrue();
        gate.Set();
    }

    [Fact]
    public void An_account_that_gets_room_is_found_behind_many_that_have_none()
    {
        const int Share = 100;
        var accounts = Enumerable.Range(0, 200).Select(static number => Account.Of($"{number}")).ToList();
        var unsent = new LedgerBook(accounts.Count * Share, 0);
        foreach (var account in accounts) { unsent.Take(account, Share); }
        using var served = new BlockingCollection<string>();
        var threads = new HandlerThreads<string>(served.Add, new LedgerBook(100_000, 0), new LedgerBook(1, 0), unsent);
        foreach (var account in accounts) { threads.TryQueue($"{account}", account, isStream: true).Should().Be(Charge.Accepted); }
        threads.TryQueue("Bob", Account.Of("Bob")).Should().Be(Charge.Accepted);
        Next().Should().Be("Bob");

        unsent.Release(accounts[150], Share);

        Next().Should().Be($"{accounts[150]}");
        threads.Complete();

        string Next() => served.TryTake(out var item, Patience) ? item : "nothing";
    }

    [Fact]
    public void After_the_end_nothing_is_taken_and_what_waits_is_still_handled()
    {
        var gate = new ManualResetEventSlim();
        var done = new CountdownEvent(3);
        var threads = new HandlerThreads<int>(
            _ =>
            {
                gate.Wait(Patience);
                done.Signal();
            },
            new LedgerBook(20, 0), new LedgerBook(1, 0), new LedgerBook(1 << 20, 0));
        for (var i = 0; i < 3; i++) { threads.TryQueue(i, Alice).Should().Be(Charge.Accepted); }

        threads.Complete();
        threads.TryQueue(3, Alice).Should().NotBe(Charge.Accepted);
        gate.Set();

        done.Wait(Patience).Should().BeTrue();
    }

    [Fact]
    public void Handlers_that_block_for_one_account_leave_threads_for_another()
    {
        var gate = new ManualResetEventSlim();
        using var served = new ManualResetEventSlim();
        using var blocked = new CountdownEvent(2);
        var threads = new HandlerThreads<string>(
            item =>
            {
                if (item == "Bob") { served.Set(); }
                else
                {
                    if (!blocked.IsSet) { blocked.Signal(); }
                    gate.Wait(Patience);
                }
            },
            new LedgerBook(100, 0), new LedgerBook(4, 0), new LedgerBook(1 << 20, 0));
        for (var i = 0; i < 20; i++) { threads.TryQueue("Alice", Alice, isStream: true).Should().Be(Charge.Accepted); }
        blocked.Wait(Patience).Should().BeTrue("two of four threads are Alice's share");

        threads.TryQueue("Bob", Account.Of("Bob")).Should().Be(Charge.Accepted);

        served.Wait(Patience).Should().BeTrue();
        gate.Set();
    }

    [Fact]
    public void An_item_that_others_wait_for_comes_first_even_if_its_account_has_its_share_of_threads()
    {
        using var gate = new SemaphoreSlim(0);
        using var started = new BlockingCollection<string>();
        var threads = new HandlerThreads<string>(
            item =>
            {
                started.Add(item);
                gate.Wait(Patience);
            },
            new LedgerBook(100, 0), new LedgerBook(4, 0), new LedgerBook(1 << 20, 0));
        for (var i = 0; i < 20; i++) { threads.TryQueue("Alice", Alice).Should().Be(Charge.Accepted); }
        (Next(started), Next(started)).Should().Be(("Alice", "Alice"), "two of four threads are Alice's share");

        threads.Requeue("awaited", Alice);

        Next(started).Should().Be("awaited");
        gate.Release(30);
        for (var i = 0; i < 18; i++) { Next(started).Should().Be("Alice"); }
        threads.Complete();
    }

    [Fact]
    public void Accounts_take_turns()
    {
        var gate = new ManualResetEventSlim();
        var order = new List<string>();
        var done = new CountdownEvent(5);
        var threads = new HandlerThreads<string>(
            item =>
            {
                gate.Wait(Patience);
                lock (order) { order.Add(item); }
                done.Signal();
            },
            new LedgerBook(100, 0), new LedgerBook(1, 0), new LedgerBook(1 << 20, 0));
        foreach (var item in new[] { "Alice", "Alice", "Alice", "Alice", "Bob" }) { threads.TryQueue(item, Account.Of(item)); }

        gate.Set();

        done.Wait(Patience).Should().BeTrue();
        order.IndexOf("Bob").Should().BeLessThan(3, "four of the other account came before it");
    }

    [Fact]
    public void The_items_of_an_account_with_too_many_unsent_responses_wait_and_those_of_others_run()
    {
        var unsent = new LedgerBook(1000, 0);
        unsent.Take(Alice, 600);
        var served = new BlockingCollection<string>();
        var threads = new HandlerThreads<string>(served.Add, new LedgerBook(100, 0), new LedgerBook(4, 0), unsent);

        threads.TryQueue("Alice", Alice, isStream: true).Should().Be(Charge.Accepted);
        threads.TryQueue("Bob", Account.Of("Bob")).Should().Be(Charge.Accepted);

        Next(served).Should().Be("Bob");
        served.Should().BeEmpty();
        unsent.Release(Alice, 300);
        Next(served).Should().Be("Alice");
        threads.Complete();
    }

    [Fact]
    public void Quick_items_share_a_thread()
    {
        using var done = new CountdownEvent(100);
        var ids = new ConcurrentDictionary<int, bool>();
        var threads = new HandlerThreads<int>(
            _ =>
            {
                ids[Environment.CurrentManagedThreadId] = true;
                done.Signal();
            },
            new LedgerBook(1000, 0), new LedgerBook(8, 0), new LedgerBook(1 << 20, 0));

        Add(threads, Enumerable.Range(0, 100), isQuick: true);

        done.Wait(Patience).Should().BeTrue();
        ids.Should().ContainSingle();
        threads.Complete();
    }

    [Fact]
    public void Items_behind_a_quick_one_that_blocks_get_threads_of_their_own()
    {
        var time = new ManualClock();
        using var gate = new ManualResetEventSlim();
        using var begun = new ManualResetEventSlim();
        using var others = new CountdownEvent(3);
        var threads = new HandlerThreads<int>(
            item =>
            {
                if (item > 0)
                {
                    others.Signal();
                    return;
                }
                begun.Set();
                gate.Wait(Patience);
            },
            new LedgerBook(1000, 0), new LedgerBook(8, 0), new LedgerBook(1 << 20, 0))
        {
            Time = time,
        };
        Add(threads, Enumerable.Range(0, 4), isQuick: true);
        begun.Wait(Patience).Should().BeTrue();
        Look(threads, time);    // notes that one was taken
        others.CurrentCount.Should().Be(3);

        Look(threads, time);

        others.Wait(Patience).Should().BeTrue();
        gate.Set();
        threads.Complete();
    }

    [Fact]
    public void A_blocked_quick_item_counts_as_no_thread_that_comes()
    {
        var time = new ManualClock();
        using var gate = new ManualResetEventSlim();
        using var begun = new ManualResetEventSlim();
        using var slow = new ManualResetEventSlim();
        var threads = new HandlerThreads<string>(
            item =>
            {
                if (item == "slow")
                {
                    slow.Set();
                    return;
                }
                begun.Set();
                gate.Wait(Patience);
            },
            new LedgerBook(1000, 0), new LedgerBook(8, 0), new LedgerBook(1 << 20, 0))
        {
            Time = time,
        };
        Add(threads, ["quick"], isQuick: true);
        begun.Wait(Patience).Should().BeTrue();
        Look(threads, time);
        Look(threads, time);

        threads.TryQueue("slow", Alice).Should().Be(Charge.Accepted);

        slow.Wait(Patience).Should().BeTrue();
        gate.Set();
        threads.Complete();
    }

    // Lanes look at the same time.
    [Fact]
    public void A_second_look_at_the_same_time_proves_nothing()
    {
        var time = new ManualClock();
        using var gate = new ManualResetEventSlim();
        using var begun = new ManualResetEventSlim();
        using var others = new CountdownEvent(1);
        var threads = Blocked(gate, begun, others, time);
        Look(threads, time);

        threads.Spread();
        others.CurrentCount.Should().Be(1);
        Look(threads, time);

        others.Wait(Patience).Should().BeTrue();
        gate.Set();
        threads.Complete();
    }

    [Fact]
    public void When_its_lane_ends_a_quick_item_counts_as_blocked()
    {
        var time = new ManualClock();
        using var gate = new ManualResetEventSlim();
        using var begun = new ManualResetEventSlim();
        using var others = new CountdownEvent(1);
        var threads = Blocked(gate, begun, others, time);

        threads.Spread(isLast: true);

        others.Wait(Patience).Should().BeTrue();
        gate.Set();
        threads.Complete();
    }

    private static HandlerThreads<int> Blocked(ManualResetEventSlim gate, ManualResetEventSlim begun, CountdownEvent others,
        ManualClock time)
    {
        var threads = new HandlerThreads<int>(
            item =>
            {
                if (item > 0) { others.Signal(); }
                else
                {
                    begun.Set();
                    gate.Wait(Patience);
                }
            },
            new LedgerBook(1000, 0), new LedgerBook(8, 0), new LedgerBook(1 << 20, 0))
        {
            Time = time,
        };
        Add(threads, [0, 1], isQuick: true);
        begun.Wait(Patience).Should().BeTrue();
        return threads;
    }

    private static void Look<T>(HandlerThreads<T> threads, ManualClock time)
    {
        time.Advance(TimeSpan.FromMilliseconds(1));
        threads.Spread();
    }

    private static void Add<T>(HandlerThreads<T> threads, IEnumerable<T> items, bool isQuick)
    {
        List<(T, Charge)> refused = [];
        var added = items.Select(item => new HandlerItem<T>(item, Alice, IsStream: false, isQuick)).ToArray();
        foreach (var _ in added) { threads.TryCharge(Alice).Should().Be(Charge.Accepted); }
        threads.Add(added, refused);
        refused.Should().BeEmpty();
    }

    private static string Next(BlockingCollection<string> served)
    {
        served.TryTake(out var next, Patience).Should().BeTrue();
        return next!;
    }
}
