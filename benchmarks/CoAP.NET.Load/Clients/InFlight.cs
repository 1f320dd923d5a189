namespace CoAP.Load;

/// <summary>One client with 64 requests in flight: awaited by as many loops, or by a thread each.</summary>
internal sealed class InFlight(ClientPlan plan, Report report, ServerProcess server)
{
    private const int Outstanding = 64;

    private readonly Table _rate = Table.OfRuns("flight", "requests/s", "transport", "message IDs", "lane", "callers");
    private readonly Table _cpu = Table.OfRuns("flight-cpu", "us/request", "transport", "message IDs", "lane", "callers");

    public async Task RunAsync()
    {
        var settings = Limits.Client with { Transmission = new TransmissionParameters { NStart = Outstanding } };
        await MeasureAsync("tcp", "none", settings);
        foreach (var form in Enum.GetValues<LaneForm>())
        {
            await MeasureAsync("udp", "reused early, 1 port", settings with { LaneForm = form });
            await MeasureAsync("udp", "strict, 1,024 ports", settings with { LaneForm = form, AllowsMessageIdReuse = false, LocalPorts = 1024 });
        }
        report.Say("");
        report.Say($"{Outstanding} in flight, NSTART {Outstanding}. Processor time is the client's.");
        report.Add(_rate);
        report.Add(_cpu);
    }

    private async Task MeasureAsync(string transport, string messageIds, CoapClientSettings settings)
    {
        var uri = $"{(transport == "tcp" ? "coap+tcp" : "coap")}://127.0.0.1:{server.PortOf(transport)}/hello";
        var lane = transport == "tcp" ? "the connection's" : settings.LaneForm.ToString();
        await MeasureAsync([transport, messageIds, lane, "async"], settings, flight => AskAsync(flight, uri));
        await MeasureAsync([transport, messageIds, lane, "threads"], settings, flight => Task.Factory.StartNew(() => Ask(flight, uri), TaskCreationOptions.LongRunning));
    }

    private async Task MeasureAsync(string[] what, CoapClientSettings settings, Func<Flight, Task> call)
    {
        await using var client = new CoapClient(settings);
        var (rates, cpu) = (new List<double>(), new List<double>());
        for (var repeat = -1; repeat < plan.Repeats; repeat++)
        {
            var before = Environment.CpuUsage.TotalTime;
            var flight = new Flight(client, repeat < 0 ? plan.WarmUp : plan.Time);
            await Task.WhenAll(Enumerable.Range(0, Outstanding).Select(_ => call(flight)));
            if (repeat < 0) { continue; }
            rates.Add(flight.Answers / flight.Elapsed.TotalSeconds);
            cpu.Add((Environment.CpuUsage.TotalTime - before).TotalMicroseconds / flight.Answers);
        }
        _rate.Add(what, new Runs(rates));
        _cpu.Add(what, new Runs(cpu));
    }

    private static async Task AskAsync(Flight flight, string uri)
    {
        while (!flight.IsOver) { flight.Count((await flight.Client.GetAsync(uri)).Code.IsSuccess); }
    }

    private static void Ask(Flight flight, string uri)
    {
        while (!flight.IsOver) { flight.Count(flight.Client.Get(uri).Code.IsSuccess); }
    }

    private sealed class Flight(CoapClient client, TimeSpan time)
    {
        private readonly Stopwatch _time = Stopwatch.StartNew();
        private long _answers;

        public CoapClient Client => client;

        public bool IsOver => _time.Elapsed >= time;

        public TimeSpan Elapsed => _time.Elapsed;

        public long Answers => Volatile.Read(ref _answers);

        public void Count(bool isGood)
        {
            if (!isGood) { throw new InvalidOperationException("The server did not greet."); }
            Interlocked.Increment(ref _answers);
        }
    }
}
