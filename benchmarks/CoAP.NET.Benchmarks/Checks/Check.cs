using System.Globalization;

namespace CoAP.Benchmarks.Checks;

/// <summary>Something that holds on each machine, or the run fails.</summary>
/// <param name="What">What was measured.</param>
/// <param name="Value">What came out.</param>
/// <param name="Limit">The most that passes.</param>
/// <param name="Target">What is meant to be reached; time ratios may be off by a factor of three before the run fails.</param>
/// <param name="Unit">Of value, limit and target.</param>
/// <param name="Times">What the ratio is of, in nanoseconds, where it is one: "ours / baseline".</param>
internal sealed record Check(string What, double Value, double Limit, double Target, string Unit, string Times = "")
{
    public bool IsPassed => Value <= Limit;

    public bool IsOnTarget => Value <= Target;

    /// <summary>A time against a baseline's in the same run.</summary>
    public static Check Ratio(string what, double baseline, double ours, double target) =>
        new(what, ours / baseline, target * 3, target, "ratio", string.Create(CultureInfo.InvariantCulture, $"{ours:0.0} / {baseline:0.0}"));

    /// <summary>What is counted and not timed: the target is the limit.</summary>
    public static Check Count(string what, double value, double limit, string unit) => new(what, value, limit, limit, unit);
}
