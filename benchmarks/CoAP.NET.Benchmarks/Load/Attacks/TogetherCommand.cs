namespace CoAP.Benchmarks.Load;

/// <summary>All attacks on one server at the same time, and the memory that it takes.</summary>
internal sealed class TogetherCommand(AttacksPlan plan, Report report)
{
    private readonly Table _table = new(
        "together", "server", "pace", "sent a second", "UDP served / lost", "UDP p99 - control = above, ms", "TCP served / lost", "TCP p99 - control = above, ms",
        "resident MiB before", "most", "later", "live MiB before", "under attack", "later", "held later");

    public async Task AttackAsync()
    {
        foreach (var server in plan.Server is null ? [.. plan.Servers, AttacksPlan.Own] : plan.Servers)
        {
            foreach (var pace in plan.Paces)
            {
                await using var targets = await AttackTargets.StartAsync(server, plan);
                await AttackAsync(server, pace, targets);
            }
        }
        report.Add(_table);
    }

    private async Task AttackAsync(string name, Pace pace, AttackTargets targets)
    {
        var server = targets.Server;
        var attacks = LedgerAttack.All.Where(attack => plan.Wants(attack) && attack.Paces.Contains(pace)
            && (!attack.NeedsOwnServer || name == AttacksPlan.Own) && attack.Errand?.Schemes.All(targets.Has) != false);
        var (resident, live) = (server.ResidentNow, await LiveAsync(server));
        var peers = targets.PeersFor(errand: null);
        foreach (var peer in peers) { await peer.WarmUpAsync(plan.WarmUp / 2); }
        foreach (var peer in peers) { peer.Start(); }
        var attacker = await server.AttackerAsync(plan.Rate);
        foreach (var peer in peers) { peer.Count(); }
        var watch = Stopwatch.StartNew();
        var asking = attacker.AskAsync(string.Create(
            CultureInfo.InvariantCulture, $"{string.Join(',', attacks.Select(static attack => attack.Name))} {plan.Time.TotalSeconds} {pace}"));
        await Task.Delay(plan.Time * 0.9);
        var liveMost = await LiveAsync(server);
        var sent = Sent.Parse(await asking);
        var rate = sent.Count / watch.Elapsed.TotalSeconds;
        foreach (var peer in peers) { await peer.StopAsync(); }
        foreach (var peer in peers) { await peer.DisposeAsync(); }
        var held = await server.HeldAsync(plan.Recovery);
        _table.Add(
            name, $"{pace}".ToLowerInvariant(), $"{rate:N0}", peers[0].Counts, peers[0].Times, peers[1].Counts, peers[1].Times,
            resident, server.Resident, server.ResidentNow, live, liveMost, await LiveAsync(server), held);
        await Console.Error.WriteLineAsync($"{name}, {pace}: {server.Resident} MiB. {sent.Remark}");
        if (sent.Count == 0) { report.Fail(1); }
    }

    private static async Task<string> LiveAsync(AttackedServer server) => await server.LiveAsync() is { } bytes ? $"{bytes >> 20}" : "unknown";
}
