namespace CoAP.Benchmarks.Load;

/// <summary>Attacks on each limit that peers share, one after another, and what honest peers notice.</summary>
internal sealed class AttacksCommand(AttacksPlan plan, Report report)
{
    private readonly AttacksTable _table = new();
    private readonly Dictionary<string, AttackTargets> _running = [];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var plan = AttacksPlan.Read(arguments);
        arguments.End();
        if (plan.Server is null && !AttackNetwork.Exists && await AttackNetwork.RepeatInsideAsync() is { } exitCode) { return exitCode; }
        var report = new Report(plan.Run, "Attacks on the limits that all peers share");
        Processors.PinAll(Processors.Client);
        report.Say($"The server and an idle control run on core {Processors.Server}, honest peers and the attacker on core {Processors.Client}.");
        report.Say($"The attacker's thread yields to the others. An attack takes {plan.Time.TotalSeconds:0.#} s with up to {plan.Rate:N0} datagrams a second; a slow one sends tens.");
        report.Say(AttackTargets.Rates);
        report.Say($"Each asks the control for the same at the same time. They go on for {plan.Aftermath.TotalSeconds:0.#} s after the attack.");
        report.Say($"A request without a good response within {HonestPeer.Patience.TotalSeconds:0.#} s counts as lost; PUT /held has longer. {(plan.SharesServers ? "All attacks share a server." : "Each attack has a server of its own.")}");
        report.Say($"The goal: nothing is lost, a p99 of at most {AttacksTable.MostAbove:0} ms above the control, and nothing held within {plan.Recovery.TotalSeconds:0.#} s after that.");
        if (plan.Samples.Count == 0)
        {
            report.Say("The sample server is not built.");
            report.Fail(1);
        }
        else if (plan.IsTogether) { await new TogetherCommand(plan, report).AttackAsync(); }
        else { await new AttacksCommand(plan, report).AttackAsync(); }
        Processors.PinAll();
        return report.ExitCode;
    }

    private async Task AttackAsync()
    {
        foreach (var run in LedgerAttack.All.Where(plan.Wants).SelectMany(RunsOf)) { await AttackOnAsync(run); }
        foreach (var targets in _running.Values) { await targets.DisposeAsync(); }
        _table.Print(report);
    }

    private IEnumerable<AttackRun> RunsOf(LedgerAttack attack, int number) =>
        from pace in plan.PacesOf(attack, number)
        from round in Enumerable.Range(0, plan.Rounds)
        from server in attack.NeedsOwnServer ? [AttacksPlan.Own] : plan.Servers
        select new AttackRun(attack, pace, server);

    private async Task AttackOnAsync(AttackRun run)
    {
        if (!_running.TryGetValue(run.Server, out var targets))
        {
            targets = await AttackTargets.StartAsync(run.Server, plan);
            _running[run.Server] = targets;
        }
        await AttackAsync(run, targets);
        if (plan.SharesServers) { return; }
        _running.Remove(run.Server);
        await targets.DisposeAsync();
    }

    private async Task AttackAsync(AttackRun run, AttackTargets targets)
    {
        var attack = run.Attack;
        var missing = attack.Errand?.Schemes.All(targets.Has) == false ? "the server has no port for it"
            : attack.IsByDatagrams && !AttackNetwork.Exists ? "there is no network for forged addresses (ip route add local 198.18.0.0/15 dev lo)"
            : null;
        if (missing is not null)
        {
            report.Say($"{attack.Name} is left out: {missing}.");
            return;
        }
        var peers = targets.PeersFor(attack.Errand);
        foreach (var peer in peers) { await peer.WarmUpAsync(plan.WarmUp); }
        foreach (var peer in peers) { peer.Start(); }
        // Without it, the server would compile the attacked code while honest peers wait.
        if (plan.Rehearsal > TimeSpan.Zero) { await SendAsync(run, targets.Server, plan.Rehearsal); }
        await Task.Delay(plan.WarmUp / 2);
        foreach (var peer in peers) { peer.Count(); }
        var (sent, rate) = await SendAsync(run, targets.Server, plan.Time);
        await Task.Delay(plan.Aftermath);
        foreach (var peer in peers) { await peer.StopAsync(); }
        foreach (var peer in peers) { await peer.DisposeAsync(); }
        await AddAsync(run, targets.Server, sent, rate, peers);
    }

    private async Task AddAsync(AttackRun run, AttackedServer server, Sent sent, double rate, ComparedPeer[] peers)
    {
        var (resident, pause, held) = (server.Resident, await server.PauseAsync(), await server.HeldAsync(plan.Recovery));
        var remark = string.Join("; ", new[] { sent.Remark, run.Attack.Group == "logs" ? await server.LogAsync() : "" }.Where(static text => text.Length > 0));
        _table.Add(run, rate, peers, resident, pause, held, remark);
        await Console.Error.WriteLineAsync(
            $"{run.Attack.Name}, {run.Pace}, {run.Server}: UDP {peers[0].Times}, TCP {peers[1].Times}; longest pause {pause} ms; beyond the goal: {AttacksTable.Beyond(peers, held)}. {remark}");
        if (sent.Count == 0) { report.Fail(1); }
    }

    // Returns what the attacker sent, and how much a second.
    private async Task<(Sent Sent, double Rate)> SendAsync(AttackRun run, AttackedServer server, TimeSpan time)
    {
        var attacker = await server.AttackerAsync(plan.Rate);
        var watch = Stopwatch.StartNew();
        var sent = Sent.Parse(await attacker.AskAsync(string.Create(CultureInfo.InvariantCulture, $"{run.Attack.Name} {time.TotalSeconds} {run.Pace}")));
        return (sent, sent.Count / watch.Elapsed.TotalSeconds);
    }
}
