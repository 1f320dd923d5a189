namespace CoAP.Testing;

/// <summary>What a <see cref="ScriptedPeer"/> needs of its network.</summary>
/// <param name="Clock">The clock.</param>
/// <param name="TryRunUntil">Runs the network until a condition holds. Returns <see langword="false"/> if it will not hold.</param>
/// <param name="RunFor">Runs the network for a simulated time.</param>
/// <param name="Transcript">Returns the datagrams so far, for messages.</param>
internal sealed record ScriptStage(ManualClock Clock, Func<Func<bool>, bool> TryRunUntil, Action<TimeSpan> RunFor, Func<string> Transcript);
