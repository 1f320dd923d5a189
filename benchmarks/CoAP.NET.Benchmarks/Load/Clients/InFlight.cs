namespace CoAP.Benchmarks.Load;

/// <summary>One client with 64 requests in flight: awaited by as many loops, or by a thread each.</summary>
internal sealed class InFlight(ClientPlan plan, Report report, ServerProcess server)
{
    private const int Outstanding = 64;

    private readonly Table _rate = Table.OfRuns("flight", "requests/s", "transport", "message IDs", "lane", "callers");
    private readonly Table _cpu = Table.OfRuns("flight-cpu", "us/request", "transport", "message IDs", "lane", "callers");

    public async Task RunAsync()
    {
        var settings = Limits.Client with { Transmission = new TransmissionParameters { NStart = Outstanding } };
        await MeasureAsync("tcp", "none", "the connection's", settings);
        foreach (var form in Enum.GetValues<LaneForm>())
        {
            await MeasureAsync("udp", "reused early, 1 port", $"{form}", settings with { LaneForm = form });
            await MeasureAsync("udp", "strict, 1,024 ports", $"{form}", settings with { LaneForm = form, AllowsMessageIdReuse = false, LocalPorts = 1024 });
        }
        report.Say("");
        report.Say($"{Outstanding} in flight, NSTART {Outstanding}. Processor time is the client's.");
        report.Add(_rate);
        report.Add(_cpu);
    }

    private async Task MeasureAsync(string transport, string messageIds, string lane, CoapClientSettings settings)
    {
        var uri = $"{(transport == "tcp" ? "coap+tcp" : "coap")}://127.0.0.1:{server.PortOf(transport)}/hello";
        foreach (var isAsync in new[] { true, false })
        {
            await using var client = new CoapClient(settings);
            var (rates, cpu) = (new List<double>(), new List<double>());
            await FlyAsync(client, uri, isAsync, plan.WarmUp);
            for (var repeat = 0; repeat < plan.Repeats; repeat++)
            {
                var (before, watch) = (Environment.CpuUsage.TotalTime, Stopwatch.StartNew());
                var answers = await FlyAsync(client, uri, isAsync, plan.Time);
                rates.Add(answers / watch.Elapsed.TotalSeconds);
                cpu.Add((Environment.CpuUsage.TotalTime - before).TotalMicroseconds / answers);
            }
            string[] what = [transport, messageIds, lane, isAsync ? "async" : "threads"];
            _rate.Add(what, new Runs(rates));
            _cpu.Add(what, new Runs(cpu));
        }
    }

    // Keeps requests in flight for some time and returns the number of answers.
    private static async Task<long> FlyAsync(CoapClient client, string uri, bool isAsync, TimeSpan time)
    {
        var watch = Stopwatch.StartNew();
        var answers = 0L;
        await Task.WhenAll(Enumerable.Range(0, Outstanding).Select(_ => isAsync ? AskAsync() : Task.Factory.StartNew(Ask, TaskCreationOptions.LongRunning)));
        return answers;

        async Task AskAsync()
        {
            for (; watch.Elapsed < time; Interlocked.Increment(ref answers)) { (await client.GetAsync(uri)).EnsureSuccess(); }
        }

        void Ask()
        {
            for (; watch.Elapsed < time; Interlocked.Increment(ref answers)) { client.Get(uri).EnsureSuccess(); }
        }
    }
}
