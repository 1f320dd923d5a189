using System.Globalization;
using CoAP.Measurements.HandOffs.Ends;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.HandOffs;

/// <summary>How much is measured.</summary>
/// <param name="Runs">The runs of a rung at most, by its length.</param>
/// <param name="Turns">The turn-arounds of a run, by its length.</param>
/// <param name="WarmUp">How long turns are made before any is counted.</param>
/// <param name="Budget">No further run of a rung begins after this time.</param>
internal sealed record HandOffPlan(Func<RungLength, int> Runs, Func<RungLength, int> Turns, TimeSpan WarmUp, TimeSpan Budget)
{
    // Both ends spin on one core: every turn takes what the system gives a thread at a time.
    private const int TurnsOfStarving = 10;

    public static HandOffPlan Of(RunSettings settings)
    {
        var plan = settings.Form.Choose(Dry, Quick, Usual, Full);
        if (Number(settings, "runs") is { } runs) { plan = plan with { Runs = _ => (int)runs }; }
        if (Number(settings, "turns") is { } turns) { plan = plan with { Turns = _ => (int)turns }; }
        return Number(settings, "seconds") is { } seconds ? plan with { Budget = TimeSpan.FromSeconds(seconds) } : plan;
    }

    public int TurnsOf(Rung rung, Placement placement)
    {
        var turns = Turns(rung.Length);
        return rung is { Length: RungLength.Spinning, IsOneThread: false } && placement == Placement.Together ? Math.Min(turns, TurnsOfStarving) : turns;
    }

    private static HandOffPlan Dry => new(static _ => 3, static _ => 20, TimeSpan.Zero, TimeSpan.FromSeconds(0.2));

    private static HandOffPlan Quick => new(static _ => 50, static length => length == RungLength.Spinning ? 10_000 : 500, Seconds(0.2), Seconds(0.5));

    private static HandOffPlan Usual => new(static _ => 1_000, static length => length == RungLength.Spinning ? 50_000 : 1_000, Seconds(1), Seconds(15));

    // The document's numbers.
    private static HandOffPlan Full => new(
        static length => length == RungLength.Across ? 1_000 : 10_000, static length => length == RungLength.Spinning ? 50_000 : 10_000, Seconds(3), TimeSpan.MaxValue);

    private static double? Number(RunSettings settings, string name) =>
        settings.Values.TryGetValue(name, out var text) ? double.Parse(text, CultureInfo.InvariantCulture) : null;

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}
