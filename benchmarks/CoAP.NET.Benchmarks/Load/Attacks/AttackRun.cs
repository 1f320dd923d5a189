namespace CoAP.Benchmarks.Load;

/// <summary>One attack at one pace on one server.</summary>
/// <param name="Attack">The attack.</param>
/// <param name="Pace">How fast it is.</param>
/// <param name="Server">The name of the server in tables.</param>
internal sealed record AttackRun(LedgerAttack Attack, Pace Pace, string Server);
