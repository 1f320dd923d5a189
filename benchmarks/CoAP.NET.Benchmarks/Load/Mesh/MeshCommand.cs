namespace CoAP.Benchmarks.Load;

/// <summary>Forms of a server that are compared under the same loads.</summary>
/// <param name="Name">The name of the part and of its table.</param>
/// <param name="IsPinned">Whether the server has one core and the generator another. Otherwise both use all cores.</param>
/// <param name="Forms">The forms, each with "name=value" for its process.</param>
/// <param name="Loads">The loads, all at the same time. The first one's latencies are in the table.</param>
internal sealed record MeshPart(string Name, bool IsPinned, (string Name, string[] Values)[] Forms, params LoadSettings[] Loads);

/// <summary>The cost of inline and buffered stages in a whole server over UDP, the size above which buffering a message pays, and the cost of a second lane.</summary>
internal sealed class MeshCommand(RunSettings settings, Report report)
{
    private const int Outstanding = 64, OutstandingOfAKind = 8;

    private static readonly LoadSettings Hello = new()
    {
        Server = new IPEndPoint(IPAddress.Loopback, 0),
        Outstanding = Outstanding,
        WarmUp = TimeSpan.Zero,
        Patience = TimeSpan.FromSeconds(10),
    };

    // User stages and handlers, inline and buffered.
    private static readonly (string Name, string[] Values)[] Stages =
    [
        ("all inline", []),
        ("filter at 1 arrow (inline)", ["filters=1"]),
        ("filters at 5 arrows (inline)", ["filters=5"]),
        ("tap at 1 arrow (buffered beside)", ["taps=1"]),
        ("block at 1 arrow (buffered)", ["throughs=1"]),
        ("blocks at 5 arrows (buffered)", ["throughs=5"]),
        ("user step, inline", ["step=inline"]),
        ("user step, goes on elsewhere", ["step=elsewhere"]),
        ("handler buffered, 1 thread", ["mode=buffered", "threads=1"]),
        ("handler buffered, 4 threads", ["mode=buffered", "threads=4"]),
    ];

    // The same handler as users write it. A synchronous one learns that it may run on the lane.
    private static readonly (string Name, string[] Values)[] Handlers =
    [
        ("asynchronous", ["handler=asynchronous"]),
        ("synchronous", ["handler=synchronous"]),
        ("synchronous, buffered", ["handler=buffered"]),
        ("typed, asynchronous", ["handler=typed-asynchronous"]),
        ("typed, synchronous", ["handler=typed-synchronous"]),
        ("typed, scoped service, JSON, asynchronous", ["handler=scoped-asynchronous"]),
        ("typed, scoped service, JSON, synchronous", ["handler=scoped-synchronous"]),
    ];

    private static readonly (string Name, string[] Values)[] InlineAndBuffered = [("inline", ["above=65536"]), ("buffered", ["above=0"])];

    private static readonly (string Name, string[] Values)[] Thresholds =
        [.. new[] { 512, 2_048, 8_192, 65_536 }.Select(static above => ($"buffered above {above:N0}", new[] { $"above={above}" }))];

    private static readonly LoadSettings[] Mixture =
        [Hello with { Outstanding = OutstandingOfAKind }, .. new[] { 256, 1_024, 4_096, 16_384 }.Select(static size => Put(size, OutstandingOfAKind))];

    private static readonly MeshPart[] Parts =
    [
        new("server", true, Stages, Hello),
        .. new[] { 16, 512, 2_048, 8_192, 32_768 }.Select(static size => new MeshPart($"sizes-{size}", true, InlineAndBuffered, Put(size, Outstanding))),
        new("thresholds-one-core", true, Thresholds, Mixture),
        new("thresholds-both-cores", false, Thresholds, Mixture),
        new("handlers-udp", true, Handlers, Hello),
        new("handlers-tcp", true, Handlers, Hello with { IsTcp = true, Sockets = 1 }),
        new("lanes", false, [("1 lane", ["lanes=1"]), ("2 lanes", ["lanes=2"])], Hello),
    ];

    private readonly TimeSpan _time = TimeSpan.FromSeconds(settings.Form.Choose(0.05, 0.2, 1, 5));
    private readonly TimeSpan _warmUp = TimeSpan.FromSeconds(settings.Form.Choose(0.02, 0.2, 12, 15));
    private readonly int _rounds = settings.Repeats ?? settings.Form.Choose(1, 2, 7, 20);

    public static async Task<int> RunAsync(Arguments arguments)
    {
        string[] names = ["server", "sizes", "thresholds", "handlers", "slow", "lanes"];
        var settings = RunSettings.Read("mesh", arguments, names);
        arguments.End();
        const string Document = "the mixed form of the case study (small messages inline, those over 2,048 bytes buffered), which gives no figures for it";
        var report = new Report(settings, "Inline and buffered stages in a server", Document);
        report.Say("Servers are processes of their own over UDP, except handlers-tcp, on one core with the generator on the other, "
            + "unless the name of the table says otherwise.");
        report.Say($"GET /hello with {Outstanding} outstanding. Sizes: PUT of so many bytes, each of which the handler reads, about a nanosecond each.");
        report.Say($"Thresholds: {OutstandingOfAKind} outstanding of GET /hello and of PUTs of 256, 1,024, 4,096 and 16,384 bytes each; the latencies are those of /hello.");
        report.Say("Slow: a synchronous handler that blocks in some calls, and /hello beside it, each with 16 outstanding.");
        report.Say("Lane stalled: the calls that blocked the lane.");
        report.Say("Slow, many connections: a handler that always waits 50 ms, asked over connections with one request at a time.");
        var command = new MeshCommand(settings, report);
        foreach (var part in PartsOf(settings.Form).Where(part => settings.Wants(names.First(name => part.Name.StartsWith(name, StringComparison.Ordinal))))) { await command.CompareAsync(part); }
        if (settings.Wants("handlers") && settings.Form != RunForm.Dry)
        {
            await new HttpRuns(report, Outstanding).RunAsync(command._warmUp, command._time, command._rounds);
        }
        if (settings.Wants("slow"))
        {
            var slow = new SlowRuns(report, Hello);
            await slow.RunAsync(3 * command._time, settings.Form == RunForm.Dry);
            await slow.RunManyAsync(20 * command._time, settings.Form == RunForm.Dry ? 10 : 1000);
        }
        return report.ExitCode;
    }

    // Most of a dry run is the start of servers. One size and one row of thresholds run the same code as all.
    private static IEnumerable<MeshPart> PartsOf(RunForm form) =>
        form != RunForm.Dry ? Parts
            : Parts.Where(static part => part.Name is "server" or "sizes-32768" or "thresholds-both-cores" or "handlers-tcp" or "lanes");

    private static LoadSettings Put(int size, int outstanding) => Hello with
    {
        Method = LoadSettings.Put,
        Path = "sum",
        Payload = [.. Enumerable.Range(0, size).Select(static at => (byte)at)],
        Outstanding = outstanding,
    };

    // In turns, A B C A B C, so that other work on the machine affects all forms alike.
    private async Task CompareAsync(MeshPart part)
    {
        // A short warm-up leaves code half compiled. This setting compiles it in full at the first call.
        string[] compiled = settings.Form == RunForm.Quick ? ["env", "DOTNET_TieredCompilation=0"] : [];
        var servers = new List<(string Form, ServerProcess Process, List<LoadResult[]> Rounds)>();
        foreach (var (name, values) in part.Forms)
        {
            var process = await ServerProcess.StartAsync("mesh", [.. ServerProcess.On(part.IsPinned ? Processors.Server : null), .. compiled], values);
            servers.Add((name, process, []));
            Ask(part, process, _warmUp);
        }
        for (var round = 0; round < _rounds; round++) { servers.ForEach(server => server.Rounds.Add(Ask(part, server.Process, _time))); }
        var cost = Table.OfRuns(part.Name + "-cost", "CPU us/request", "form");
        var table = new Table(part.Name, "form", "CPU to the first", "requests/s", "requests/s to the first", "p50 us", "p99 us", "failed");
        foreach (var (form, process, rounds) in servers)
        {
            string Ratio(Func<LoadResult[], double> value) => Runs.Format(new Runs(rounds.Zip(servers[0].Rounds, (one, first) => value(one) / value(first))).Median);
            string Middle(Func<LoadResult[], double> value) => Runs.Format(new Runs(rounds.Select(value)).Median);
            var failed = rounds.Sum(static round => round.Sum(static one => one.Failed));
            report.Fail(failed);
            cost.Add([form], new Runs(rounds.Select(Cpu)));
            table.Add(form, Ratio(Cpu), Middle(Rate), Ratio(Rate), Middle(static round => round[0].Microseconds(0.5)), Middle(static round => round[0].Microseconds(0.99)), $"{failed}");
            await process.DisposeAsync();
        }
        report.Add(cost);
        report.Add(table);
    }

    private static double Rate(LoadResult[] round) => round.Sum(static one => one.Rate);

    private static double Cpu(LoadResult[] round) => round[0].CpuPerAnswer * round[0].Tally.Good / round.Sum(static one => one.Tally.Good);

    private static LoadResult[] Ask(MeshPart part, ServerProcess process, TimeSpan time)
    {
        LoadResult[] results = [];
        var generator = new Thread(() =>
        {
            if (part.IsPinned) { Processors.Pin(Processors.Client); }
            results = Load.RunTogether([.. part.Loads.Select(load =>
                load with { Server = process.EndPointOf(load.IsTcp ? "tcp" : "udp"), ServerProcess = process.Id, Duration = time })]);
        });
        generator.Start();
        generator.Join();
        return results;
    }
}
