namespace CoAP.Benchmarks.Load;

/// <summary>Attacks on each limit that peers share, and what honest peers notice.</summary>
internal sealed class AttacksCommand(AttacksPlan plan, Report report)
{
    private const double GreetingsPerSecond = 100, ErrandsPerSecond = 10;

    private readonly AttacksTable _table = new();
    private readonly Dictionary<string, AttackedServer> _running = [];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var plan = AttacksPlan.Read(arguments);
        arguments.End();
        if (plan.Server is null && !AttackNetwork.Exists && await AttackNetwork.RepeatInsideAsync() is { } exitCode) { return exitCode; }
        var report = new Report(plan.Run, "Attacks on the limits that all peers share");
        Processors.PinAll(Processors.Client);
        report.Say($"The server runs on core {Processors.Server}, honest peers and the attacker on core {Processors.Client}.");
        report.Say($"The attacker's thread yields to the others. An attack takes {plan.Time.TotalSeconds:0.#} s with up to {plan.Rate:N0} datagrams a second.");
        report.Say($"Honest peers ask for /hello over UDP and TCP, {GreetingsPerSecond} times a second each,");
        report.Say($"and {ErrandsPerSecond} times a second for what the attack threatens. They go on for {plan.Aftermath.TotalSeconds:0.#} s after it.");
        report.Say($"A request without a good response within {HonestPeer.Patience.TotalSeconds:0.#} s counts as lost. {(plan.SharesServers ? "All attacks share a server." : "Each attack has a server of its own.")}");
        if (plan.Server is null && plan.Samples.Count == 0)
        {
            report.Say("The sample server is not built.");
            report.Fail(1);
        }
        await new AttacksCommand(plan, report).AttackAsync();
        Processors.PinAll();
        return report.ExitCode;
    }

    private async Task AttackAsync()
    {
        foreach (var attack in LedgerAttack.All.Where(plan.Wants))
        {
            for (var round = 0; round < plan.Rounds; round++)
            {
                if (attack.NeedsOwnServer) { await AttackAsync(attack, "own", AttackedServer.StartOwnAsync); }
                else if (plan.Server is not null) { await AttackAsync(attack, "running", () => Task.FromResult(AttackedServer.Running(plan))); }
                else
                {
                    foreach (var (name, path) in plan.Samples) { await AttackAsync(attack, name, () => Task.FromResult(AttackedServer.Start(path))); }
                }
            }
        }
        foreach (var server in _running.Values) { await server.DisposeAsync(); }
        _table.Print(report);
    }

    private async Task AttackAsync(LedgerAttack attack, string name, Func<Task<AttackedServer>> start)
    {
        if (!_running.TryGetValue(name, out var server))
        {
            server = await start();
            server.WarmUp(plan.WarmUp);
            _running[name] = server;
        }
        await AttackAsync(attack, name, server);
        if (plan.SharesServers) { return; }
        _running.Remove(name);
        await server.DisposeAsync();
    }

    private async Task AttackAsync(LedgerAttack attack, string name, AttackedServer server)
    {
        var missing = attack.Errand?.Schemes.All(server.Has) == false ? "--tls-port is missing"
            : attack.IsByDatagrams && !AttackNetwork.Exists ? "there is no network for forged addresses (ip route add local 198.18.0.0/15 dev lo)"
            : null;
        if (missing is not null)
        {
            report.Say($"{attack.Name} is left out: {missing}.");
            return;
        }
        var peers = PeersOf(attack, server);
        foreach (var peer in peers) { await peer.WarmUpAsync(plan.WarmUp); }
        foreach (var peer in peers) { peer.Start(); }
        await Task.Delay(plan.WarmUp / 2);
        var (sent, rate) = await SendAsync(attack, server, peers);
        var recovered = Task.Delay(plan.Recovery);
        await Task.Delay(plan.Aftermath);
        foreach (var peer in peers) { await peer.StopAsync(); }
        foreach (var peer in peers) { await peer.DisposeAsync(); }
        await recovered;
        var resident = server.Process is { } process ? $"{ProcessMemory.Peak($"{process}") >> 20}" : "unknown";
        var remark = string.Join("; ", new[] { sent.Remark, attack.Group == "logs" ? await server.LogAsync() : "" }.Where(static text => text.Length > 0));
        _table.Add(attack, name, rate, peers, resident, await server.HeldAsync(), remark);
        await Console.Error.WriteLineAsync($"{attack.Name}, {name}: UDP lost {peers[0].Lost}, TCP lost {peers[1].Lost}, {resident} MiB. {attack.What}.");
        if (sent.Count == 0) { report.Fail(1); }
    }

    // Returns what the attacker sent, and how much a second.
    private async Task<(Sent Sent, double Rate)> SendAsync(LedgerAttack attack, AttackedServer server, HonestPeer[] peers)
    {
        var attacker = await server.AttackerAsync(plan.Rate);
        foreach (var peer in peers) { peer.Count(); }
        var watch = Stopwatch.StartNew();
        var sent = Sent.Parse(await attacker.AskAsync(string.Create(CultureInfo.InvariantCulture, $"{attack.Name} {plan.Time.TotalSeconds}")));
        return (sent, sent.Count / watch.Elapsed.TotalSeconds);
    }

    private static HonestPeer[] PeersOf(LedgerAttack attack, AttackedServer server) =>
    [
        .. Errand.Greet.Schemes.Select(scheme => new HonestPeer(Errand.Greet, server.UriOf(scheme), GreetingsPerSecond)),
        .. attack.Errand is { } errand ? errand.Schemes.Select(scheme => new HonestPeer(errand, server.UriOf(scheme), ErrandsPerSecond)) : [],
    ];
}
