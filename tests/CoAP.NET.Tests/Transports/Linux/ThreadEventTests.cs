using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class ThreadEventTests
{
    private const int MaxCount = 1024;

    [SkippableFact]
    public void Thousands_of_threads_do_not_use_up_the_descriptors_of_the_process()
    {
        Skip.IfNot(OperatingSystem.IsLinux());
        var (made, have) = (0, 0);
        using var all = new Barrier(MaxCount + 101);
        Thread[] threads = [.. Enumerable.Range(0, MaxCount + 100).Select(_ => new Thread(Make, 128 << 10))];

        foreach (var thread in threads) { thread.Start(); }
        all.SignalAndWait();
        foreach (var thread in threads) { thread.Join(); }

        made.Should().Be(threads.Length);
        have.Should().BeInRange(MaxCount / 2, MaxCount + 16, "concurrent threads may exceed the limit a little");

        void Make()
        {
            if (ThreadEvent.Current is not null) { Interlocked.Increment(ref have); }
            Interlocked.Increment(ref made);
            all.SignalAndWait();
        }
    }
}
