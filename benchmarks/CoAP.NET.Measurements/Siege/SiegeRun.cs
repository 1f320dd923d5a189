using System.Globalization;
using CoAP.Measurements.Servers.Load;
using CoAP.Measurements.Serving;
using CoAP.Measurements.Siege.Attacks;

namespace CoAP.Measurements.Siege;

/// <summary>One attacker at work: quiet and attacked stretches in turn, and what the server holds before and after.</summary>
internal sealed class SiegeRun(SiegePlan plan, ServerProcess server, ServerProcess attacker, IReadOnlyList<Prober> probers)
{
    /// <summary>What one attacker did to the server and to its other clients.</summary>
    /// <param name="Attack">The attacker.</param>
    /// <param name="Count">Connections or datagrams, in all its stretches.</param>
    /// <param name="Quiet">The times of the other clients without it: for each prober, one for each stretch.</param>
    /// <param name="Attacked">The times of the other clients under attack.</param>
    /// <param name="Before">What the server held.</param>
    /// <param name="After">What it holds when the attacker has gone.</param>
    public sealed record Result(Attack Attack, int Count, List<Latencies>[] Quiet, List<Latencies>[] Attacked, Holding Before, Holding After);

    /// <summary>Attacks once for a short time, without taking times.</summary>
    public async Task RehearseAsync(Attack attack)
    {
        var before = await HoldingAsync();
        await ProbeAsync(NewLatencies(), AttackAsync(attack, plan.Time / 4));
        await ProbeAsync(NewLatencies(), before.UntilBackAsync(server, 5 * SiegeService.Patience));
    }

    public async Task<Result> RunAsync(Attack attack)
    {
        var (quiet, attacked, count) = (NewStretches(), NewStretches(), 0);
        var before = await HoldingAsync();
        for (var round = 0; round < plan.Rounds; round++)
        {
            await ProbeInto(quiet, Task.Delay(plan.Time));
            var attacking = AttackAsync(attack, plan.Time);
            await ProbeInto(attacked, attacking);
            count += await attacking;
            await ProbeAsync(NewLatencies(), before.UntilBackAsync(server, 5 * SiegeService.Patience));
        }
        return new Result(attack, count, quiet, attacked, before, await HoldingAsync());
    }

    /// <summary>Has the well-behaved clients ask while something goes on. They never pause for longer than the server's patience.</summary>
    public async Task ProbeAsync(Latencies[] latencies, Task meanwhile)
    {
        await Task.WhenAll(probers.Select((prober, at) => Task.Factory.StartNew(
            () => prober.Run(latencies[at], () => !meanwhile.IsCompleted), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        await meanwhile;
    }

    // The others go on asking, or the server would take them for idle.
    private async Task<Holding> HoldingAsync()
    {
        var holding = Holding.OfAsync(server);
        await ProbeAsync(NewLatencies(), holding);
        return await holding;
    }

    private Task ProbeInto(List<Latencies>[] stretches, Task meanwhile)
    {
        var latencies = NewLatencies();
        for (var at = 0; at < latencies.Length; at++) { stretches[at].Add(latencies[at]); }
        return ProbeAsync(latencies, meanwhile);
    }

    private List<Latencies>[] NewStretches() => [.. probers.Select(static _ => new List<Latencies>())];

    private async Task<int> AttackAsync(Attack attack, TimeSpan time)
    {
        var answer = await attacker.AskAsync(string.Create(CultureInfo.InvariantCulture, $"{attack.Name} {time.TotalSeconds}"));
        return int.TryParse(answer, CultureInfo.InvariantCulture, out var count) ? count : throw new InvalidOperationException($"Attacker '{attack.Name}': {answer}");
    }

    public Latencies[] NewLatencies() => [.. probers.Select(static _ => new Latencies())];
}
