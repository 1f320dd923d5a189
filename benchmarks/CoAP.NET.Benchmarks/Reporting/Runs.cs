namespace CoAP.Benchmarks.Reporting;

/// <summary>The figures of several runs of the same measurement.</summary>
internal sealed class Runs(IEnumerable<double> values)
{
    private readonly double[] _sorted = [.. values.Order()];

    public IReadOnlyList<double> Values { get; } = [.. values];

    public int Count => _sorted.Length;

    public double Median => Quantile(0.5);

    public double Least => _sorted[0];

    public double Most => _sorted[^1];

    public double Mean => _sorted.Average();

    /// <summary>The least and the most.</summary>
    public string Spread => $"{Format(Least)} - {Format(Most)}";

    public string All => string.Join(' ', Values.Select(Format));

    /// <summary>The distance from the mean to each bound of its 95 % confidence interval, for many and normally distributed values.</summary>
    public double Confidence => 1.96 * Math.Sqrt(_sorted.Sum(value => (value - Mean) * (value - Mean)) / (Count - 1) / Count);

    /// <summary>Interpolates the value below which the given share of the runs lies.</summary>
    public double Quantile(double share)
    {
        if (Count == 0) { return double.NaN; }
        var place = share * (Count - 1);
        var below = (int)place;
        var above = Math.Min(below + 1, Count - 1);
        return _sorted[below] + ((place - below) * (_sorted[above] - _sorted[below]));
    }

    /// <summary>Formats a figure with four significant digits.</summary>
    public static string Format(double value)
    {
        if (!double.IsFinite(value)) { return ""; }
        var decimals = value == 0 ? 0 : Math.Clamp(3 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 4);
        return value.ToString("N" + decimals, CultureInfo.InvariantCulture);
    }
}
