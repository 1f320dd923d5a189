using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Siege;

/// <summary>How long and how hard the server is attacked in each form of the run.</summary>
/// <param name="Time">One stretch, with or without an attacker.</param>
/// <param name="Rounds">How often a quiet stretch and one under attack follow each other.</param>
/// <param name="Flood">The connections that one attacker opens and drops, in all its stretches.</param>
/// <param name="Handshakes">The handshakes of TLS and WebSockets that one attacker begins and breaks off, in all its stretches.</param>
/// <param name="Standing">The connections that an attacker holds open at the same time.</param>
internal sealed record SiegePlan(TimeSpan Time, int Rounds, int Flood, int Handshakes, int Standing)
{
    public static SiegePlan Of(RunSettings settings)
    {
        var plan = settings.Form.Choose(Dry, Quick, Usual, Full);
        return settings.Repeats is { } repeats ? plan with { Rounds = repeats } : plan;
    }

    /// <summary>How many a second, so that an attacker's stretches reach the number together.</summary>
    public double RateOf(int count) => count / (Time.TotalSeconds * Rounds);

    private static SiegePlan Dry => new(TimeSpan.FromSeconds(0.2), 1, 100, 10, 20);

    private static SiegePlan Quick => new(TimeSpan.FromSeconds(0.5), 3, 5_000, 150, 500);

    private static SiegePlan Usual => new(TimeSpan.FromSeconds(2), 3, 10_000, 300, 1_000);

    private static SiegePlan Full => new(TimeSpan.FromSeconds(4), 10, 100_000, 2_000, 2_000);
}
