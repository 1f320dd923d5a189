using CoAP.Benchmarks.Reporting;
using CoAP.Fuzzing.Engine;
using CoAP.TestSupport;
using Xunit.Abstractions;

namespace CoAP.Fuzzing.Soak;

/// <summary>Mixed load over loopback with faults: in the end, memory, descriptors and threads are where they were. Runs where COAP_TESTS=full.</summary>
[Trait("Category", "Loopback")]
public sealed class SoakTests(ITestOutputHelper output)
{
    private const int SamplesPerFault = 3;

    private static readonly string[] Faults = ["disk full", "no buffers", "no descriptors", "clock jumps"];
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(20);

    private readonly List<SoakSample> _samples = [];
    private readonly List<string> _rows = [SoakSample.Head];

    [SkippableFact]
    public async Task Memory_descriptors_and_threads_end_where_they_began()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && TestLevel.IsFull, "The soak test runs on Linux where COAP_TESTS=full.");
        await using var server = new SoakServer();
        await server.StartAsync();
        await LoadAsync(server, WarmUp, withFaults: true);
        var before = await AtRestAsync(server);

        SoakLoad load;
        try { load = await LoadAsync(server, Minutes(), withFaults: true); }
        finally { Save(); }
        var after = await AtRestAsync(server);

        output.WriteLine($"before: {before}\nafter: {after}\nanswered: {load.Answered}\nfailed: {string.Join(", ", load.Failures)}");
        load.Answered.Should().BePositive();
        after.Handles.Should().BeLessThanOrEqualTo(before.Handles + 16, "every connection was closed");
        after.Threads.Should().BeLessThanOrEqualTo(before.Threads + 16, "no thread is left");
        after.HeapMiB.Should().BeLessThan(before.HeapMiB + 16, "nothing is kept");
        after.ResidentMiB.Should().BeLessThan((1.5 * before.ResidentMiB) + 64, "memory was returned");
    }

    private static TimeSpan Minutes() => TimeSpan.FromMinutes(
        double.TryParse(Environment.GetEnvironmentVariable("COAP_SOAK_MINUTES"), CultureInfo.InvariantCulture, out var minutes) ? minutes : 30);

    private async Task<SoakLoad> LoadAsync(SoakServer server, TimeSpan time, bool withFaults)
    {
        using var ending = new CancellationTokenSource();
        var load = new SoakLoad(server.Authorities);
        var running = load.RunAsync(seed: 1, ending.Token);
        using var ticks = new PeriodicTimer(Interval);
        var start = TimeProvider.System.GetTimestamp();
        for (var tick = 0; TimeProvider.System.GetElapsedTime(start) < time; tick++)
        {
            // A fault lasts for a part of one interval; the samples between faults show the recovery.
            var fault = withFaults && tick % SamplesPerFault == 1 ? tick / SamplesPerFault : -1;
            await TickAsync(server, fault, ticks);
            var sample = SoakSample.Take(TimeProvider.System.GetElapsedTime(start).TotalSeconds, load);
            _samples.Add(sample);
            _rows.Add(sample.ToRow(fault < 0 ? "" : Faults[fault % Faults.Length]));
        }
        await ending.CancelAsync();
        await running;
        return load;
    }

    private static async Task TickAsync(SoakServer server, int fault, PeriodicTimer ticks)
    {
        using var notifying = new Timer(_ => server.Notify(), null, TimeSpan.Zero, TimeSpan.FromMilliseconds(100));
        if (fault >= 0)
        {
            using var failing = server.Fail(fault);
            await Task.Delay(Interval / 5);
        }
        await ticks.WaitForNextTickAsync();
    }

    private static async Task<SoakSample> AtRestAsync(SoakServer server)
    {
        await server.ConnectionsEndAsync();
        // Threads of the pool end after 20 seconds without work, and answers are remembered for a while.
        await Task.Delay(TimeSpan.FromSeconds(25));
        for (var round = 0; round < 3; round++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }
        return SoakSample.Take(0, null);
    }

    private void Save()
    {
        Directory.CreateDirectory(FuzzFolders.Artifacts);
        File.WriteAllLines(Path.Combine(FuzzFolders.Artifacts, "soak.csv"), _rows);
        var chart = new Chart("soak", "Soak test: what the process holds, and how long requests take", "seconds", "see the titles") { IsLogAcross = false, Mark = Mark.Dots };
        chart.Add("resident", _samples.Select(one => (one.Seconds, one.ResidentMiB)), panel: "memory, MiB");
        chart.Add("heap with garbage", _samples.Select(one => (one.Seconds, one.HeapMiB)), panel: "memory, MiB");
        chart.Add("descriptors", _samples.Select(one => (one.Seconds, (double)one.Handles)), panel: "descriptors and threads");
        chart.Add("threads", _samples.Select(one => (one.Seconds, (double)one.Threads)), panel: "descriptors and threads");
        chart.Add("p99 of small requests", _samples.Select(one => (one.Seconds, Math.Max(one.P99Milliseconds, 0.01))), panel: "latency, ms");
        File.WriteAllText(Path.Combine(FuzzFolders.Artifacts, "soak.svg"), chart.ToSvg());
    }
}
