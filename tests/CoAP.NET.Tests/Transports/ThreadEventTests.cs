using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Collection("Loopback")]
public sealed class ThreadEventTests
{
    private const int Most = 1024;

    [SkippableFact]
    public void Thousands_of_threads_do_not_use_up_the_descriptors_of_the_process()
    {
        Skip.IfNot(OperatingSystem.IsLinux());
        var (made, have) = (0, 0);
        using var all = new Barrier(Most + 101);
        Thread[] threads = [.. Enumerable.Range(0, Most + 100).Select(_ => new Thread(Make, 128 << 10))];

        foreach (var thread in threads) { thread.Start(); }
        all.SignalAndWait();
        foreach (var thread in threads) { thread.Join(); }

        made.Should().Be(threads.Length);
        have.Should().BeInRange(Most / 2, Most + 16, "threads that ask at the same time may go a little past the limit");

        void Make()
        {
            if (ThreadEvent.OfThread is not null) { Interlocked.Increment(ref have); }
            Interlocked.Increment(ref made);
            all.SignalAndWait();
        }
    }
}
