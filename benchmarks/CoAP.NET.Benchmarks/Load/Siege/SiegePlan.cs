namespace CoAP.Benchmarks.Load;

/// <summary>The length and strength of the attacks: the time of a quiet and of an attacked stretch, the rounds of both, the connections that an
/// attacker opens and drops in all rounds, the handshakes that it breaks off, and the connections that it holds.</summary>
internal sealed record SiegePlan(TimeSpan Time, int Rounds, int Flood, int Handshakes, int Standing)
{
    /// <summary>Whether each attack runs once before the measurement.</summary>
    public bool IsRehearsed { get; private init; }

    /// <summary>The time limits of the server. None is longer than twice this.</summary>
    public TimeSpan Patience { get; private init; }

    public static SiegePlan Of(RunSettings settings)
    {
        var (time, rounds, flood, handshakes, standing) =
            settings.Form.Choose((0.1, 1, 100, 10, 20), (0.5, 3, 5_000, 150, 500), (2.0, 3, 10_000, 300, 1_000), (4.0, 10, 100_000, 2_000, 2_000));
        return new(TimeSpan.FromSeconds(time), settings.Repeats ?? rounds, flood, handshakes, standing)
        {
            IsRehearsed = settings.Form != RunForm.Dry,
            Patience = TimeSpan.FromSeconds(settings.Form == RunForm.Dry ? 0.2 : 1),
        };
    }

    /// <summary>Returns the rate at which all stretches together reach a number.</summary>
    public double RateOf(int count) => count / (Time.TotalSeconds * Rounds);
}
