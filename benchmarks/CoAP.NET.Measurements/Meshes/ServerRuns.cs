using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Meshes;

/// <summary>A whole server over UDP on the loopback address, its forms in turns.</summary>
internal sealed class ServerRuns(MeshPlan plan, Report report)
{
    private const int Outstanding = 64;
    private const int OutstandingOfAKind = 8;
    private const string OneCore = "0";
    private const string Anywhere = "";
    private const int GeneratorCore = 1;
    private static readonly int[] Sizes = [16, 512, 2_048, 8_192, 32_768];
    private static readonly int[] Mixture = [256, 1_024, 4_096, 16_384];

    /// <summary>Each kind of stage both ways.</summary>
    public Task StagesAsync() => CompareAsync("server", MeshForm.Stages, OneCore, [(UdpAsker.Hello, Outstanding)]);

    /// <summary>One lane and two, where the server may use both cores and so may the generator.</summary>
    public Task LanesAsync() => CompareAsync("lanes", MeshForm.Lanes, Anywhere, [(UdpAsker.Hello, Outstanding)]);

    /// <summary>Requests of one size, handled inline and buffered.</summary>
    public async Task SizesAsync()
    {
        var sizes = new Results("sizes", "CPU us/request", "payload", "handled");
        var latency = new Results("sizes-p50", "us", "payload", "handled");
        await using var servers = await StartAsync(MeshForm.Sizes, OneCore, [(UdpAsker.Sum(Sizes[0]), Outstanding)]);
        foreach (var size in Sizes)
        {
            var runs = Alternate(servers.All, [(UdpAsker.Sum(size), Outstanding)]);
            foreach (var (form, of) in runs)
            {
                sizes.Add([$"{size:N0}", form.Name], new Runs(of.Select(static run => run.Cpu)));
                latency.Add([$"{size:N0}", form.Name], new Runs(of.Select(static run => run.Median())));
            }
        }
        report.Say("");
        report.Say($"PUT of a payload that the handler reads byte by byte, about a nanosecond each, {Outstanding} outstanding.");
        report.Add(sizes);
        report.Add(latency);
    }

    /// <summary>Small and large requests at the same time, and what becomes of a small one.</summary>
    public async Task ThresholdsAsync()
    {
        var table = new Results("thresholds", "us, p99 of GET /hello", "server on", "buffered above");
        var costs = new Table("thresholds-more", ["server on", "buffered above", "requests/s", "CPU us/request", "hello p50 us", "hello p99 us", .. Mixture.Select(static size => $"{size:N0} p50 us"), "failed"]);
        foreach (var (name, cores) in new[] { ("one core", OneCore), ("both cores", Anywhere) })
        {
            (UdpAsker Asker, int Outstanding)[] askers = [(UdpAsker.Hello, OutstandingOfAKind), .. Mixture.Select(static size => (UdpAsker.Sum(size), OutstandingOfAKind))];
            await using var servers = await StartAsync(MeshForm.Thresholds, cores, askers);
            foreach (var (form, runs) in Alternate(servers.All, askers))
            {
                table.Add([name, form.Name], new Runs(runs.Select(static run => run.P99())));
                costs.Add(
                [
                    name, form.Name, Middle(runs, static run => run.Rate), Middle(runs, static run => run.Cpu), Middle(runs, static run => run.Median()),
                    Middle(runs, static run => run.P99()), .. Mixture.Select((_, at) => Middle(runs, run => run.Median(at + 1))),
                    runs.Sum(static run => run.Failed).ToString(CultureInfo.InvariantCulture),
                ]);
            }
        }
        report.Say("");
        report.Say($"{OutstandingOfAKind} outstanding of each: GET /hello, and PUT of {string.Join(", ", Mixture.Select(static size => $"{size:N0}"))} bytes.");
        report.Add(table);
        report.Add(costs);
    }

    private async Task CompareAsync(string name, MeshForm[] forms, string cores, (UdpAsker Asker, int Outstanding)[] askers)
    {
        var cost = new Results(name + "-cost", "CPU us/request", "form");
        var more = new Table(name + "-more", "form", "requests/s", "CPU to the first", "requests/s to the first", "p50 us", "p99 us", "failed");
        await using var servers = await StartAsync(forms, cores, askers);
        var all = Alternate(servers.All, askers);
        var first = all[0].Runs;
        foreach (var (form, runs) in all)
        {
            cost.Add([form.Name], new Runs(runs.Select(static run => run.Cpu)));
            more.Add(
                form.Name, Middle(runs, static run => run.Rate), Ratio(runs, first, static run => run.Cpu), Ratio(runs, first, static run => run.Rate),
                Middle(runs, static run => run.Median()), Middle(runs, static run => run.P99()), runs.Sum(static run => run.Failed).ToString(CultureInfo.InvariantCulture));
        }
        report.Say("");
        report.Say($"Confirmable GET /hello, {Outstanding} outstanding over 16 sockets; ratios are medians of the ratios within a round.");
        report.Add(cost);
        report.Add(more);
    }

    private async Task<Servers> StartAsync(MeshForm[] forms, string cores, (UdpAsker Asker, int Outstanding)[] warmUp)
    {
        var servers = new Servers();
        foreach (var form in forms)
        {
            var server = await MeshServer.StartAsync(form, plan, cores);
            servers.All.Add(server);
            OnGeneratorCore(cores, () => server.Ask(plan.WarmUp, warmUp));
        }
        return servers;
    }

    // A B C A B C: what else the machine does meets all of them.
    private List<(MeshForm Form, List<MeshRun> Runs)> Alternate(List<MeshServer> servers, (UdpAsker Asker, int Outstanding)[] askers)
    {
        var all = servers.Select(static server => (server.Form, Runs: new List<MeshRun>())).ToList();
        for (var round = 0; round < plan.Rounds; round++)
        {
            for (var at = 0; at < servers.Count; at++)
            {
                var server = servers[at];
                var run = OnGeneratorCore(server.Cores, () => server.Ask(plan.Time, askers));
                report.Fail(run.Failed);
                all[at].Runs.Add(run);
            }
        }
        return all;
    }

    private static MeshRun OnGeneratorCore(string cores, Func<MeshRun> ask)
    {
        if (cores.Length == 0 || Environment.ProcessorCount < 2) { return ask(); }
        MeshRun? run = null;
        var thread = new Thread(() =>
        {
            HandOffs.Native.Pin(GeneratorCore);
            run = ask();
        });
        thread.Start();
        thread.Join();
        return run ?? throw new InvalidOperationException("The generator failed.");
    }

    private static string Middle(List<MeshRun> runs, Func<MeshRun, double> value) => Runs.Format(new Runs(runs.Select(value)).Median);

    private static string Ratio(List<MeshRun> runs, List<MeshRun> first, Func<MeshRun, double> value) =>
        Runs.Format(new Runs(runs.Zip(first, (one, other) => value(one) / value(other))).Median);

    private sealed class Servers : IAsyncDisposable
    {
        public List<MeshServer> All { get; } = [];

        public async ValueTask DisposeAsync()
        {
            foreach (var server in All) { await server.DisposeAsync(); }
        }
    }
}
