namespace CoAP.Benchmarks.Load;

/// <summary>One request after another: latency and processor time of a call, in turns with bare sockets that wait in the same way.</summary>
internal sealed class RoundTrips(ClientPlan plan, Report report, ServerProcess server)
{
    private readonly Table _latency = Table.OfRuns("roundtrips", "us", "transport", "caller");
    private readonly Table _cpu = Table.OfRuns("roundtrips-cpu", "us", "transport", "caller");
    private readonly Table _ratios = new("roundtrips-ratios", "transport", "client", "bare socket", "latency, median of ratios", "least", "processor time, median of ratios");

    public async Task RunAsync()
    {
        await CompareAsync("udp", "coap");
        await CompareAsync("tcp", "coap+tcp");
        report.Say("");
        report.Say($"{plan.Calls} calls a run; the figure of a run is the median of its calls. The client reuses message IDs early: otherwise it has 260 a second.");
        report.Add(_latency);
        report.Add(_cpu);
        report.Add(_ratios);
    }

    private async Task CompareAsync(string transport, string scheme)
    {
        var uri = $"{scheme}://127.0.0.1:{server.PortOf(transport)}/hello";
        using var bare = new BareClient(server.EndPointOf(transport), transport == "tcp");
        using var bareAsync = new BareClient(server.EndPointOf(transport), transport == "tcp");
        await using var client = new CoapClient(Limits.Client);
        await using var asyncClient = new CoapClient(Limits.Client);
        Caller[] callers =
        [
            new("bare, blocking", () => { bare.Ask(); return default; }),
            new("client, sync", () => { client.Get(uri); return default; }),
            new("bare, async", () => bareAsync.AskAsync()),
            new("client, async", async () => await asyncClient.GetAsync(uri)),
        ];
        foreach (var caller in callers)
        {
            for (var time = Stopwatch.StartNew(); time.Elapsed < plan.WarmUp;) { await caller.Call(); }
        }
        for (var repeat = 0; repeat < plan.Repeats; repeat++)
        {
            foreach (var caller in callers) { await MeasureAsync(caller); }
        }
        foreach (var caller in callers)
        {
            _latency.Add([transport, caller.Name], new Runs(caller.Latencies));
            _cpu.Add([transport, caller.Name], new Runs(caller.Cpu));
        }
        AddRatio(transport, callers[1], callers[0]);
        AddRatio(transport, callers[3], callers[2]);
    }

    private void AddRatio(string transport, Caller ours, Caller bare)
    {
        var latency = new Runs(ours.Latencies.Zip(bare.Latencies, static (one, other) => one / other));
        var cpu = new Runs(ours.Cpu.Zip(bare.Cpu, static (one, other) => one / other));
        _ratios.Add(transport, ours.Name, bare.Name, Runs.Format(latency.Median), Runs.Format(latency.Least), Runs.Format(cpu.Median));
    }

    private async Task MeasureAsync(Caller caller)
    {
        var times = new double[plan.Calls];
        var cpu = Environment.CpuUsage.TotalTime;
        for (var call = 0; call < times.Length; call++)
        {
            var begin = Stopwatch.GetTimestamp();
            await caller.Call();
            times[call] = Stopwatch.GetElapsedTime(begin).TotalMicroseconds;
        }
        caller.Cpu.Add((Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / times.Length);
        caller.Latencies.Add(new Runs(times).Median);
    }

    private sealed record Caller(string Name, Func<ValueTask> Call)
    {
        public List<double> Latencies { get; } = [];

        public List<double> Cpu { get; } = [];
    }
}
