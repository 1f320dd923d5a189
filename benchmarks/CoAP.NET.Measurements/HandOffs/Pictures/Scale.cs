using System.Globalization;

namespace CoAP.Measurements.HandOffs.Pictures;

/// <summary>One side of a small picture: it begins and ends where the values do.</summary>
internal sealed class Scale
{
    private readonly double _low;
    private readonly double _high;
    private readonly bool _isLog;
    private readonly double _length;

    public Scale(IEnumerable<double> values, bool isLog, double length, bool fromZero = false)
    {
        (_isLog, _length) = (isLog, length);
        var known = values.Where(value => double.IsFinite(value) && (!isLog || value > 0)).DefaultIfEmpty(1).ToArray();
        var (least, most) = (known.Min(), known.Max());
        (_low, _high) = isLog ? (Math.Log10(least * 0.93), Math.Log10(most * 1.07)) : (fromZero ? 0 : least, most);
        if (_high <= _low) { _high = _low + 1; }
    }

    /// <summary>Round values within, a handful.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            var candidates = _isLog ? Logarithmic([1, 2, 5]) : Linear(_low, _high);
            if (_isLog && candidates.Length > 6 && _high - _low > 3) { candidates = Logarithmic([1]); }
            if (_isLog && candidates.Length < 3) { candidates = Linear(Math.Pow(10, _low), Math.Pow(10, _high)); }
            var every = (candidates.Length + 5) / 6;
            return candidates.Where((_, at) => at % Math.Max(1, every) == 0);
        }
    }

    public double At(double value) => ((_isLog ? Math.Log10(value) : value) - _low) / (_high - _low) * _length;

    public static string Label(double value) => value switch
    {
        >= 1e6 => (value / 1e6).ToString("0.##", CultureInfo.InvariantCulture) + "M",
        >= 1e3 => (value / 1e3).ToString("0.##", CultureInfo.InvariantCulture) + "k",
        _ => value.ToString("0.##", CultureInfo.InvariantCulture),
    };

    private double[] Logarithmic(double[] steps) =>
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
        var step = power * ((rough / power) switch { <= 1 => 1, <= 2 => 2, <= 5 => 5, _ => 10 });
        var first = Math.Ceiling(low / step);
        return [.. Enumerable.Range(0, 12).Select(at => (first + at) * step).Where(value => value <= high)];
    }
}
