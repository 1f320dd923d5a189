using System.Globalization;

namespace CoAP.Measurements.Reporting;

/// <summary>Where values stand along one side of a picture.</summary>
internal sealed class Axis
{
    private readonly double _low;
    private readonly double _high;
    private readonly bool _isLog;
    private readonly IReadOnlyList<double> _ticks;

    public Axis(IReadOnlyCollection<double> values, bool isLog)
    {
        _isLog = isLog;
        var (least, most) = values.Count == 0 ? (1, 10) : (values.Min(), values.Max());
        if (isLog)
        {
            (_low, _high) = (Math.Floor(Math.Log10(least) + 1e-9), Math.Ceiling(Math.Log10(most) - 1e-9));
            if (_high <= _low) { _high = _low + 1; }
            var step = Math.Max(1, (int)Math.Ceiling((_high - _low) / 10));
            _ticks = [.. Enumerable.Range(0, ((int)(_high - _low) / step) + 1).Select(at => Math.Pow(10, _low + (at * step)))];
        }
        else
        {
            var step = Step(most / 6);
            (_low, _high) = (0, Math.Max(step, Math.Ceiling(most / step) * step));
            _ticks = [.. Enumerable.Range(0, (int)Math.Round(_high / step) + 1).Select(at => at * step)];
        }
    }

    public IReadOnlyList<double> Ticks => _ticks;

    /// <summary>0 at the beginning of the axis, 1 at its end.</summary>
    public double Place(double value)
    {
        var scaled = _isLog ? Math.Log10(Math.Max(value, Math.Pow(10, _low))) : value;
        return (scaled - _low) / (_high - _low);
    }

    public static string Label(double value)
    {
        var (scaled, suffix) = Math.Abs(value) switch
        {
            >= 1e9 => (value / 1e9, " G"),
            >= 1e6 => (value / 1e6, " M"),
            >= 1e4 => (value / 1e3, " k"),
            _ => (value, ""),
        };
        return scaled.ToString("0.####", CultureInfo.InvariantCulture) + suffix;
    }

    private static double Step(double rough)
    {
        if (rough <= 0) { return 1; }
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        return power * (rough / power) switch { <= 1 => 1, <= 2 => 2, <= 5 => 5, _ => 10 };
    }
}
