using System.Globalization;

namespace CoAP.Measurements.Reporting;

/// <summary>The same thing measured several times.</summary>
internal sealed class Runs(IEnumerable<double> values)
{
    private readonly double[] _sorted = [.. values.Order()];

    public IReadOnlyList<double> Values { get; } = [.. values];

    public int Count => _sorted.Length;

    public double Median => Quantile(0.5);

    public double Least => _sorted[0];

    public double Most => _sorted[^1];

    public double Mean => _sorted.Average();

    /// <summary>The value below which a share of the runs is, interpolated.</summary>
    public double Quantile(double share)
    {
        var place = share * (_sorted.Length - 1);
        var below = (int)place;
        var above = Math.Min(below + 1, _sorted.Length - 1);
        return _sorted[below] + ((place - below) * (_sorted[above] - _sorted[below]));
    }

    /// <summary>The least and the most.</summary>
    public string Spread => $"{Format(Least)} - {Format(Most)}";

    public string All => string.Join(' ', Values.Select(Format));

    /// <summary>Four digits that mean something.</summary>
    public static string Format(double value)
    {
        if (value == 0 || !double.IsFinite(value)) { return value.ToString(CultureInfo.InvariantCulture); }
        var decimals = Math.Clamp(3 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 4);
        return value.ToString("N" + decimals, CultureInfo.InvariantCulture);
    }
}
