namespace CoAP.Benchmarks.Checks;

/// <summary>Something that holds on each machine, or the run fails.</summary>
/// <param name="What">What was measured.</param>
/// <param name="Value">What came out.</param>
/// <param name="Limit">The most that passes.</param>
/// <param name="Target">What is meant to be reached; time ratios may be off by a factor of three before the run fails.</param>
/// <param name="Unit">Of value, limit and target.</param>
internal sealed record Check(string What, double Value, double Limit, double Target, string Unit)
{
    public bool IsPassed => Value <= Limit;

    public bool IsOnTarget => Value <= Target;

    /// <summary>A time against a baseline's in the same run.</summary>
    public static Check Ratio(string what, double value, double target) => new(what, value, target * 3, target, "ratio");

    /// <summary>What is counted and not timed: the target is the limit.</summary>
    public static Check Count(string what, double value, double limit, string unit) => new(what, value, limit, limit, unit);
}
