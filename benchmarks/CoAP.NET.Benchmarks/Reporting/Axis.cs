namespace CoAP.Benchmarks.Reporting;

/// <summary>One side of a chart panel. A linear side begins at 0, a logarithmic one at its smallest value.</summary>
internal sealed class Axis
{
    private const int MostTicks = 6;

    private readonly double _low;
    private readonly double _high;
    private readonly bool _isLog;
    private readonly double _length;

    public Axis(IEnumerable<double> values, bool isLog, double length)
    {
        (_isLog, _length) = (isLog, length);
        var known = values.Where(value => double.IsFinite(value) && (!isLog || value > 0)).DefaultIfEmpty(1).ToArray();
        (_low, _high) = isLog ? (Math.Log10(known.Min() * 0.93), Math.Log10(known.Max() * 1.07)) : (0, known.Max());
        if (_high <= _low) { _high = _low + 1; }
    }

    /// <summary>At most six round values within.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            var candidates = _isLog ? Logarithmic(1, 2, 5) : Linear(_low, _high);
            if (_isLog && candidates.Length > MostTicks && _high - _low > 3) { candidates = Logarithmic(1); }
            if (_isLog && candidates.Length < 3) { candidates = Linear(Math.Pow(10, _low), Math.Pow(10, _high)); }
            var every = Math.Max(1, (candidates.Length + MostTicks - 1) / MostTicks);
            return candidates.Where((_, at) => at % every == 0);
        }
    }

    /// <summary>Returns the place of a value, from 0 to the length of the side.</summary>
    public double At(double value) => ((_isLog ? Math.Log10(Math.Max(value, Math.Pow(10, _low))) : value) - _low) / (_high - _low) * _length;

    public static string Label(double value)
    {
        var (scaled, suffix) = value switch
        {
            >= 1e9 => (value / 1e9, "G"),
            >= 1e6 => (value / 1e6, "M"),
            >= 1e3 => (value / 1e3, "k"),
            _ => (value, ""),
        };
        return scaled.ToString("0.####", CultureInfo.InvariantCulture) + suffix;
    }

    private double[] Logarithmic(params double[] steps) =>
    [
        .. from power in Enumerable.Range((int)Math.Floor(_low), (int)Math.Ceiling(_high) - (int)Math.Floor(_low) + 1)
           from step in steps
           let value = step * Math.Pow(10, power)
           where Math.Log10(value) >= _low && Math.Log10(value) <= _high
           select value,
    ];

    private static double[] Linear(double low, double high)
    {
        var rough = (high - low) / 5;
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        var step = power * (rough / power) switch { <= 1 => 1, <= 2 => 2, <= 5 => 5, _ => 10 };
        var first = Math.Ceiling(low / step);
        return [.. Enumerable.Range(0, 12).Select(at => (first + at) * step).Where(value => value <= high)];
    }
}
