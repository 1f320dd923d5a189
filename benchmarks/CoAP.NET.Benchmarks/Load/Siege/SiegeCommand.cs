namespace CoAP.Benchmarks.Load;

/// <summary>The effect of bad clients on good ones, and the resources that they leave behind in the server.</summary>
internal sealed class SiegeCommand(SiegePlan plan, ServerProcess server, ServerProcess attacker)
{
    private const double RequestsPerSecond = 500;

    private static readonly string[] Transports = ["udp", "tcp", "tls", "unix", "ws"];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("siege", arguments, [.. Attack.All.Select(static attack => attack.Name)]);
        var mode = arguments.OneOf("--mode", "async", "asyncsingle", "sync") ?? "async";
        arguments.End();
        var plan = SiegePlan.Of(settings);
        var report = new Report(settings, $"Bad clients beside good ones, server mode {mode}");
        await using var server = await ServerProcess.StartAsync("siege", ServerProcess.On(Processors.Server), $"mode={mode}", string.Create(CultureInfo.InvariantCulture, $"patience={plan.Patience.TotalSeconds}"));
        await using var attacker = await ServerProcess.StartAsync("attacker", ServerProcess.On(Processors.Client), ValuesOf(server, plan));
        Processors.PinAll(Processors.Client);
        report.Say($"The server runs on core {Processors.Server}, all clients on core {Processors.Client}. The attacker's threads yield to the others.");
        report.Say($"Good clients ask for /hello {RequestsPerSecond:N0} times a second over TCP and over UDP, one request at a time.");
        report.Say($"{plan.Rounds} quiet and {plan.Rounds} attacked stretches take turns, {plan.Time.TotalSeconds} s each.");
        report.Say($"A flood is {plan.RateOf(plan.Flood):N0} connections a second, of TLS and WebSocket {plan.RateOf(plan.Handshakes):N0}; {plan.Standing:N0} connections are held.");
        report.Say($"The server's time limits are {plan.Patience.TotalSeconds} s, so that they expire within the run.");
        await new SiegeCommand(plan, server, attacker).AttackAsync([.. Attack.All.Where(attack => settings.Wants(attack.Name))], report);
        Processors.PinAll();
        return report.ExitCode;
    }

    private static string[] ValuesOf(ServerProcess server, SiegePlan plan) =>
    [
        .. Transports.Select(transport => $"{transport}={server[transport]}"),
        string.Create(CultureInfo.InvariantCulture, $"flood={plan.RateOf(plan.Flood)}"),
        string.Create(CultureInfo.InvariantCulture, $"handshakes={plan.RateOf(plan.Handshakes)}"),
        $"standing={plan.Standing}",
        string.Create(CultureInfo.InvariantCulture, $"patience={plan.Patience.TotalSeconds}"),
    ];

    private async Task AttackAsync(Attack[] attacks, Report report)
    {
        await ProbeAsync(Task.Delay(plan.Time / 2));
        // The first run of an attack compiles code and grows tables, which stay. So each runs once before the measurement.
        foreach (var attack in attacks.Where(attack => plan.IsRehearsed && attack.IsRehearsed))
        {
            var before = await Holding.OfAsync(server);
            await ProbeAsync(AttackAsync(attack, plan.Time / 4));
            await before.UntilBackAsync(server, plan.Patience);
        }
        var tables = new SiegeTables();
        foreach (var attack in attacks) { tables.Add(await AttackAsync(attack)); }
        tables.Print(report);
    }

    private async Task<SiegeResult> AttackAsync(Attack attack)
    {
        var result = new SiegeResult(attack, await Holding.OfAsync(server));
        for (var round = 0; round < plan.Rounds; round++)
        {
            result.Quiet.Add(await ProbeAsync(Task.Delay(plan.Time)));
            var attacking = AttackAsync(attack, plan.Time);
            result.Attacked.Add(await ProbeAsync(attacking));
            result.Count += await attacking;
            await result.Before.UntilBackAsync(server, plan.Patience);
        }
        result.After = await Holding.OfAsync(server);
        return result;
    }

    private async Task<long> AttackAsync(Attack attack, TimeSpan time)
    {
        var answer = await attacker.AskAsync(string.Create(CultureInfo.InvariantCulture, $"{attack.Name} {time.TotalSeconds}"));
        return long.TryParse(answer, CultureInfo.InvariantCulture, out var count) ? count : throw new InvalidOperationException($"Attacker '{attack.Name}': {answer}");
    }

    // Good clients ask at a steady rate, one request at a time, until the given task ends.
    private async Task<LoadResult[]> ProbeAsync(Task meanwhile)
    {
        using var stop = new CancellationTokenSource();
        var settings = new LoadSettings { Server = server.EndPointOf("tcp"), IsTcp = true, Sockets = 1, Outstanding = 1, Rate = RequestsPerSecond };
        var probes = new[] { settings, settings with { Server = server.EndPointOf("udp"), IsTcp = false } }
            .Select(one => Task.Factory.StartNew(() => Probe(one, stop.Token), TaskCreationOptions.LongRunning)).ToArray();
        await meanwhile;
        await stop.CancelAsync();
        return await Task.WhenAll(probes);
    }

    private static LoadResult Probe(LoadSettings settings, CancellationToken stop)
    {
        using var load = new Load(settings);
        return load.Measure(TimeSpan.FromDays(1), stop);
    }
}
