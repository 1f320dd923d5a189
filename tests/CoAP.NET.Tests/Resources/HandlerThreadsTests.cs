using CoAP.Resources;

namespace CoAP.Tests.Resources;

/// <summary>Threads that handlers may block: no more than set, no queue without an end, and everything that was taken is done.</summary>
public sealed class HandlerThreadsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

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
            threads: 3,
            capacity: 10);

        for (var i = 0; i < 10; i++) { threads.TryQueue(i).Should().BeTrue(); }
        entered.Wait(Patience).Should().BeTrue("three wait for each other, so three have to run");
        gate.Set();

        done.Wait(Patience).Should().BeTrue();
        most.Should().Be(3);
    }

    [Fact]
    public void What_is_being_handled_counts_towards_the_capacity_and_leaves_it_when_it_is_done()
    {
        var gate = new SemaphoreSlim(0);
        using var second = new ManualResetEventSlim();
        var threads = new HandlerThreads<int>(
            item =>
            {
                if (item == 2) { second.Set(); }
                gate.Wait(Patience);
            },
            threads: 1,
            capacity: 2);
        threads.TryQueue(1).Should().BeTrue();
        threads.TryQueue(2).Should().BeTrue();
        threads.TryQueue(3).Should().BeFalse();

        gate.Release();
        second.Wait(Patience).Should().BeTrue("the only thread goes on when it is done with the first one");

        threads.TryQueue(4).Should().BeTrue();
        threads.TryQueue(5).Should().BeFalse();
        gate.Release(2);
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
            threads: 1,
            capacity: 10);
        for (var i = 0; i < 3; i++) { threads.TryQueue(i).Should().BeTrue(); }

        threads.Complete();
        threads.TryQueue(3).Should().BeFalse();
        gate.Set();

        done.Wait(Patience).Should().BeTrue();
    }
}
