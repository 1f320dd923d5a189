using System.Text;

namespace CoAP.Benchmarks.Reporting;

/// <summary>How the points of a series are drawn.</summary>
internal enum Mark
{
    Line,
    Outline,
    Dots,
}

/// <summary>Series over common axes, as SVG: one panel, or a panel for each kind of thing with the same series in it.</summary>
internal sealed class Chart(string name, string title, string across, string up)
{
    private const double Left = 62, Top = 60, Under = 30, Legend = 250;
    private const int MostColumns = 4;

    private static readonly string[] Colours = ["#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#6a4c93", "#3b3b3b", "#00a5a5", "#8d5a2b", "#9aa0a6", "#c71585"];

    private readonly List<(string Panel, string Series, (double X, double Y)[] Points, bool IsDocument)> _series = [];

    public string Name => name;

    public Mark Mark { get; init; }

    public bool IsLogAcross { get; init; } = true;

    public bool IsLogUp { get; init; } = true;

    /// <summary>Adds a series. The figures of a source document are dashed.</summary>
    public void Add(string series, IEnumerable<(double X, double Y)> points, bool isDocument = false, string panel = "")
    {
        var known = points.Where(static point => double.IsFinite(point.Y)).ToArray();
        if (known.Length > 0) { _series.Add((panel, series, known, isDocument)); }
    }

    public string ToSvg()
    {
        var panels = _series.Select(static one => one.Panel).Distinct().ToArray();
        var columns = Math.Clamp(panels.Length, 1, MostColumns);
        var (width, height) = panels.Length > 1 ? (200.0, 120.0) : (600.0, 400.0);
        var rows = Math.Max(1, (panels.Length + columns - 1) / columns);
        var legend = 10 + (columns * (width + Left));
        var svg = new StringBuilder();
        Line(svg, $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {legend + Legend} {Top + (rows * (height + Under + 20)) + 10}\" font-family=\"sans-serif\" font-size=\"11\">");
        Line(svg, $"<rect width=\"100%\" height=\"100%\" fill=\"white\"/><text x=\"20\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{Escape(title)}</text>");
        Line(svg, $"<text x=\"20\" y=\"42\">across: {Escape(across)}; up: {Escape(up)}</text>");
        for (var at = 0; at < panels.Length; at++)
        {
            Line(svg, $"<g transform=\"translate({Left + (at % columns * (width + Left))} {Top + 14 + (at / columns * (height + Under + 20))})\">");
            DrawPanel(svg, panels[at], width, height);
            svg.AppendLine("</g>");
        }
        DrawLegend(svg, legend + 10);
        return svg.AppendLine("</svg>").ToString();
    }

    private void DrawLegend(StringBuilder svg, double left)
    {
        var at = 0;
        foreach (var (label, isDocument) in _series.Select(static one => (one.Series, one.IsDocument)).Distinct())
        {
            Line(svg, $"<path d=\"M{left} {Top + 20 + (at * 20)}h24\" stroke=\"{ColourOf(label)}\" stroke-width=\"3\"{Dash(isDocument)}/>");
            Line(svg, $"<text x=\"{left + 32}\" y=\"{Top + 24 + (at++ * 20)}\">{Escape(label)}</text>");
        }
    }

    private void DrawPanel(StringBuilder svg, string panel, double width, double height)
    {
        var series = _series.Where(one => one.Panel == panel).ToArray();
        var x = new Axis(series.SelectMany(static one => one.Points).Select(static point => point.X), IsLogAcross, width);
        var y = new Axis(series.SelectMany(static one => one.Points).Select(static point => point.Y), IsLogUp, height);
        Line(svg, $"<text y=\"-5\" font-size=\"12\" font-weight=\"bold\">{Escape(panel)}</text>");
        foreach (var tick in x.Ticks)
        {
            Line(svg, $"<path d=\"M{x.At(tick):0.#} 0v{height}\" stroke=\"#e3e3e3\"/><text x=\"{x.At(tick):0.#}\" y=\"{height + 14}\" text-anchor=\"middle\">{Axis.Label(tick)}</text>");
        }
        foreach (var tick in y.Ticks)
        {
            Line(svg, $"<path d=\"M0 {height - y.At(tick):0.#}h{width}\" stroke=\"#e3e3e3\"/><text x=\"-5\" y=\"{height - y.At(tick) + 4:0.#}\" text-anchor=\"end\">{Axis.Label(tick)}</text>");
        }
        foreach (var one in series) { DrawSeries(svg, ColourOf(one.Series), [.. one.Points.Select(point => (x.At(point.X), height - y.At(point.Y)))], one.IsDocument); }
        Line(svg, $"<path d=\"M0 0V{height}H{width}\" fill=\"none\" stroke=\"#333\"/>");
    }

    private void DrawSeries(StringBuilder svg, string colour, IReadOnlyList<(double X, double Y)> points, bool isDocument)
    {
        var join = Mark == Mark.Dots ? "h0M" : "L";
        var path = string.Join(join, points.Select(static point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#} {point.Y:0.#}")));
        var fill = Mark == Mark.Outline ? colour : "none";
        var style = Mark == Mark.Dots ? "stroke-width=\"2.2\" stroke-linecap=\"round\" stroke-opacity=\"0.7\"" : "fill-opacity=\"0.15\" stroke-width=\"1.6\"";
        Line(svg, $"<path d=\"M{path}{(Mark == Mark.Dots ? "h0" : "")}\" fill=\"{fill}\" stroke=\"{colour}\" {style}{Dash(isDocument)}/>");
        if (Mark != Mark.Line) { return; }
        foreach (var point in points) { Line(svg, $"<circle cx=\"{point.X:0.#}\" cy=\"{point.Y:0.#}\" r=\"3\" fill=\"{(isDocument ? "white" : colour)}\" stroke=\"{colour}\"/>"); }
    }

    private string ColourOf(string series) => Colours[_series.Select(static one => one.Series).Distinct().TakeWhile(one => one != series).Count() % Colours.Length];

    private static string Dash(bool isDocument) => isDocument ? " stroke-dasharray=\"6 4\"" : "";

    private static string Escape(string text) => text.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal);

    private static void Line(StringBuilder svg, FormattableString text) => svg.AppendLine(text.ToString(CultureInfo.InvariantCulture));
}
