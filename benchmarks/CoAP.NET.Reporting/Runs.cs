namespace CoAP.Reporting;

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

    /// <summary>The distance from the mean to each bound of its 95 % confidence interval. Assumes normally distributed values.</summary>
    public double Confidence
    {
        get
        {
            if (Count < 2) { return double.NaN; }
            var mean = Mean;
            var variance = _sorted.Sum(value => (value - mean) * (value - mean)) / (Count - 1);
            return Student(Count - 1) * Math.Sqrt(variance / Count);
        }
    }

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

    /// <summary>
    /// Returns the 97.5 % quantile of Student's distribution by its expansion around the normal one. Good to a thousandth from four degrees of
    /// freedom on.
    /// </summary>
    public static double Student(int freedom)
    {
        const double Normal = 1.959964;
        var (n, z) = ((double)freedom, Normal);
        var (z3, z5, z7, z9) = (Math.Pow(z, 3), Math.Pow(z, 5), Math.Pow(z, 7), Math.Pow(z, 9));
        return z
            + (z3 + z) / (4 * n)
            + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n)
            + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n)
            + (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
    }
}
