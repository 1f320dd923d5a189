namespace CoAP.Benchmarks.Load;

/// <summary>What peers notice of a synchronous handler that sometimes blocks: those who ask for it, and the others of its lane.</summary>
internal sealed class SlowRuns(Report report, LoadSettings hello)
{
    private const int Outstanding = 16;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Measures each handler once, from its first call on, and adds the table.</summary>
    public async Task RunAsync(TimeSpan time, bool isDry)
    {
        var table = new Table(
            "slow", "blocks ms", "one call in", "requests/s", "others/s", "p50 us of the others", "p99 us", "failed", "lane stalled");
        foreach (var (blocks, every) in from blocks in new[] { 1, 10, 100 } from every in new[] { 1, 100, 10_000 } select (blocks, every))
        {
            if (isDry && (blocks, every) != (1, 100)) { continue; }
            string[] program = [.. ServerProcess.On(Processors.Server), "env", "DOTNET_TieredCompilation=0"];
            await using var process = await ServerProcess.StartAsync("slow", program, $"blocks={blocks}", $"every={every}");
            var results = Ask(process, time);
            report.Fail(results.Sum(static one => one.Failed));
            var (others, slow) = (results[0], results[1]);
            table.Add(
                $"{blocks}", $"{every:N0}", Runs.Format(slow.Rate), Runs.Format(others.Rate), Runs.Format(others.Microseconds(0.5)),
                Runs.Format(others.Microseconds(0.99)), $"{others.Failed + slow.Failed}", await process.AskAsync("stalls"));
        }
        report.Add(table);
    }

    /// <summary>
    /// Measures a handler that always waits, asked over many connections of one address and few of another, and adds the table.
    /// </summary>
    public async Task RunManyAsync(TimeSpan time, int connections)
    {
        const int Few = 10;
        await using var process = await ServerProcess.StartAsync("slow", ServerProcess.On(Processors.Server), "blocks=50", "every=1");
        var server = process.EndPointOf("tcp");
        var load = hello with { Path = "slow", IsTcp = true, Outstanding = 1, Server = server, Duration = time, Patience = Patience };
        var many = load with { Sockets = connections, Source = IPAddress.Loopback };
        var few = load with { Sockets = Few, Source = IPAddress.Parse("127.0.0.2") };
        var results = Generate(many, few);
        var threads = await process.AskAsync("threads");
        var table = new Table("slow-connections", "account", "requests/s", "p50 ms", "p99 ms", "most ms", "failed", "server threads");
        foreach (var (name, one) in new[] { ($"{connections:N0} connections", results[0]), ($"{Few} connections", results[1]) })
        {
            report.Fail(one.Failed);
            string Milliseconds(double share) => Runs.Format(one.Microseconds(share) / 1000);
            table.Add(name, Runs.Format(one.Rate), Milliseconds(0.5), Milliseconds(0.99), Milliseconds(1), $"{one.Failed}", threads);
        }
        report.Add(table);
    }

    private LoadResult[] Ask(ServerProcess process, TimeSpan time)
    {
        var load = hello with { Server = process.EndPointOf("udp"), Duration = time, Outstanding = Outstanding };
        return Generate(load, load with { Path = "slow" });
    }

    private static LoadResult[] Generate(params LoadSettings[] loads)
    {
        LoadResult[] results = [];
        var generator = new Thread(() =>
        {
            Processors.Pin(Processors.Client);
            results = Load.RunTogether(loads);
        });
        generator.Start();
        generator.Join();
        return results;
    }
}
