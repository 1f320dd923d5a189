namespace CoAP.Benchmarks;

/// <summary>
/// A figure with the limit that it must not exceed and the target that is intended; both hold on every machine. A time ratio fails only at three times
/// its target and shows its two times, in nanoseconds.
/// </summary>
internal sealed record Check(string What, double Value, double Limit, double Target, string Unit, string Times = "")
{
    public bool IsPassed => Value <= Limit;

    public bool IsOnTarget => Value <= Target;

    /// <summary>Compares a time with that of a baseline in the same run.</summary>
    public static Check Ratio(string what, double baseline, double ours, double target) =>
        new(what, ours / baseline, target * 3, target, "ratio", string.Create(CultureInfo.InvariantCulture, $"{ours:0.0} / {baseline:0.0}"));

    /// <summary>Checks a count. Its target is its limit.</summary>
    public static Check Count(string what, double value, double limit, string unit) => new(what, value, limit, limit, unit);
}
