namespace CoAP.Measurements.HandOffs;

/// <summary>A mean, and within which bounds it is with a probability of 95 %, as far as the values are normally distributed.</summary>
internal readonly record struct Confidence(double Mean, double Half)
{
    private const double Normal = 1.959964;

    public double Low => Mean - Half;

    public double High => Mean + Half;

    public static Confidence Of(IReadOnlyCollection<double> values)
    {
        var mean = values.Average();
        if (values.Count < 2) { return new Confidence(mean, double.NaN); }
        var variance = values.Sum(value => (value - mean) * (value - mean)) / (values.Count - 1);
        return new Confidence(mean, Student(values.Count - 1) * Math.Sqrt(variance / values.Count));
    }

    /// <summary>The 97.5 % quantile of Student's distribution, by its expansion around the normal one; good to a thousandth from four degrees of freedom on.</summary>
    public static double Student(int freedom)
    {
        var (n, z) = ((double)freedom, Normal);
        var (z3, z5, z7, z9) = (Math.Pow(z, 3), Math.Pow(z, 5), Math.Pow(z, 7), Math.Pow(z, 9));
        return z
            + (z3 + z) / (4 * n)
            + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n)
            + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n)
            + (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
    }
}
