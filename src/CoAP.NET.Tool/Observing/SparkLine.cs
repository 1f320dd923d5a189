namespace CoAP.Tool.Observing;

/// <summary>Numbers as a line of bars: "▁▃█▅".</summary>
internal static class SparkLine
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    /// <summary>Returns a bar for each value, scaled from the smallest to the largest one. If all are equal, the bars are of medium height.</summary>
    public static string Of(IReadOnlyCollection<double> values)
    {
        var finite = values.Where(double.IsFinite).ToArray();
        if (finite.Length == 0) { return new string(' ', values.Count); }
        var (least, most) = (finite.Min(), finite.Max());
        return string.Concat(values.Select(value => BarOf(value, least, most)));
    }

    private static char BarOf(double value, double least, double most)
    {
        if (!double.IsFinite(value)) { return ' '; }
        // Halved, so that the difference of the largest and the smallest double is finite.
        var share = most > least ? ((value / 2) - (least / 2)) / ((most / 2) - (least / 2)) : 0.5;
        return Bars[Math.Min((int)(share * Bars.Length), Bars.Length - 1)];
    }
}
